/** A line of defence, how it is taken away, and the test that must notice. Written out, so that the claim can be tried again. */
export type Guard = {
  /** The fault that happens without it. */
  against: string
  file: string
  /** Stands in the file exactly once. */
  text: string
  without: string
  /** File below `tests/`, and the title of the test as its file has it. */
  shownBy: readonly [file: string, title: string]
}

/** Placeholders of a title stand for anything. */
export function titlePattern(title: string): string {
  const parts = title.split(/%[sdij]|\$\{[^}]*\}|\$\w+/)
  return `${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`
}

/** The text without its guard; throws where the guard has gone or stands more than once. */
export function withoutGuard(source: string, { file, text, without, against }: Guard): string {
  const found = source.split(text).length - 1
  if (found !== 1) throw new Error(`${file} has the guard against “${against}” ${found} times`)
  return source.replace(text, () => without)
}
