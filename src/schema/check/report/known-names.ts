import type { Handlers } from '#schema/check/check-effects.ts'

/**
 * Facts outside the definitions: widgets and icons of the console, handlers of the server, and what tells a pattern that
 * may take for ever. Without one of these its names are not checked.
 */
export type KnownNames = {
  widgets?: readonly string[]
  icons?: readonly string[]
  handlers?: Handlers
  /** Resources whose rules answer an outlook. */
  outlooks?: readonly string[]
  /** Resources that are no more and whose rows may go. */
  goneResources?: readonly string[]
  /** Names of the fields that the rules of the server compute, by resource. */
  computed?: Readonly<Record<string, readonly string[]>>
  isSafePattern?: (pattern: string) => boolean
}
