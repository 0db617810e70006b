import type { MessageValues } from '#schema/format/message.ts'
import { type Label, say } from '#schema/words.ts'
import { useShellLanguage } from '#shell/use-words.ts'

/** The text of a label in the current language, also on public pages. */
export function useSayLabel() {
  const language = useShellLanguage()
  return (label: Label, values?: MessageValues) => say(label, language, values)
}
