type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> }

/** Leaves out what is undefined: antd's types tell "absent" from "undefined". */
export function given<Props extends object>(props: Props): Given<Props> {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<Props>
}
