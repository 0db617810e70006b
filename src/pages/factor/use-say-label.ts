import type { MessageValues } from '#schema/format/message.ts'
import { type Label, say } from '#schema/words.ts'
import { useShellLanguage } from '#shell/use-words.ts'

/** Says a label in the language on screen, outside of a session as well. */
export function useSayLabel() {
  const language = useShellLanguage()
  return (label: Label, values?: MessageValues) => say(label, language, values)
}
