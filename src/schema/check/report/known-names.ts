import type { Handlers } from '#schema/check/check-effects.ts'

/**
 * Names known outside of the definitions: widgets, icons, handlers, and the fault of a pattern with catastrophic backtracking. A
 * name list that is absent is not checked.
 */
export type KnownNames = {
  widgets?: readonly string[]
  icons?: readonly string[]
  handlers?: Handlers
  /** Resources whose server rules answer an outlook. */
  outlooks?: readonly string[]
  /** Resources whose server rules have routes of their own. */
  routed?: readonly string[]
  /** Tables that the server keeps for itself. */
  serverTables?: readonly string[]
  /** Removed resources whose rows may be archived. */
  goneResources?: readonly string[]
  /** Fields computed by server rules, by resource. */
  computed?: Readonly<Record<string, readonly string[]>>
  /** Called with a definition of which not every check could be run, since a part of it is broken. */
  waits?: (name: string) => void
  /** The fault of a regular expression that a text of at most `longest` characters keeps busy. */
  slowPattern?: (source: string, longest: number) => string | undefined
}
