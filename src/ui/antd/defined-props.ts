type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> }

/** Drops undefined props: antd's types distinguish absent from undefined. */
export function given<Props extends object>(props: Props): Given<Props> {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<Props>
}
