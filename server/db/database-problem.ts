import { type Problem, problem } from '#server/base/problems.ts'

/** Maps a unique constraint to its fields when its name does not. */
export type ConstraintFields = (constraint: string, table: string) => readonly string[] | undefined

type DatabaseError = Error & { code: string; constraint?: string; table?: string; detail?: string }

const stateOf = (error: unknown): DatabaseError | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? (error as DatabaseError) : undefined

const plainName = (text: string) => text.replace(/^lower\(|\)$|::\w+|"/g, '').trim()

/** Parses `Key (email)=(…) already exists.`, or the constraint's name: table, field, kind. */
function fieldsOf({ constraint = '', table = '', detail = '' }: DatabaseError, named: ConstraintFields): readonly string[] {
  const known = named(constraint, table)
  if (known) return known
  const [, columns] = /^Key \((.+)\)=\(/.exec(detail) ?? []
  if (columns) return columns.split(',').map(plainName)
  const [, field] = /^.+?_(.+)_\w+$/.exec(constraint) ?? []
  return field ? [field] : []
}

const refusals: Record<string, (error: DatabaseError, named: ConstraintFields) => Problem> = {
  '23505': (error, named) =>
    problem('duplicate', { faults: fieldsOf(error, named).map((path) => ({ path, code: 'duplicate' })) }, error),
  '23503': (error, named) =>
    error.message.startsWith('insert')
      ? problem('invalid', { faults: fieldsOf(error, named).map((path) => ({ path, code: 'no-such-record' })) }, error)
      : problem('in-use', { values: { instead: '' } }, error),
  '23502': (error) => problem('invalid', {}, error),
  '23514': (error) => problem('invalid', {}, error),
  // A text that is too long for an index, as of a unique field.
  '54000': (error) => problem('invalid', {}, error),
  '40001': (error) => problem('busy', { retryAfterS: 1 }, error),
  '40P01': (error) => problem('busy', { retryAfterS: 1 }, error),
  '55P03': (error) => problem('busy', { retryAfterS: 1 }, error),
  '25P03': (error) => problem('unavailable', { retryAfterS: 2 }, error),
  '57014': (error) => problem('unavailable', { retryAfterS: 5 }, error),
  '53100': (error) => problem('no-space', {}, error),
}

// Values that validation should have caught: out of range, malformed, not storable.
const badValue = /^22/
// Unavailable: refused, broken or too many connections; a server that starts, stops or is read-only.
const away = /^(08|53|57P0|25006)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND)$/
const cut =
  /connection terminated|^timeout expired$|connection error and is not queryable|timeout exceeded when trying to connect|cannot use a pool after/i

/** True when the database does not answer, rather than refuse or give up this one statement. */
export function isDatabaseAway(error: unknown): boolean {
  const state = stateOf(error)
  if (state && Object.hasOwn(refusals, state.code)) return false
  return (state && away.test(state.code)) || (error instanceof Error && cut.test(error.message))
}

/** Maps a failed statement to a problem; undefined when the caller did not cause it. */
export function databaseProblem(error: unknown, named: ConstraintFields = () => undefined): Problem | undefined {
  const state = stateOf(error)
  const refusal = state && Object.hasOwn(refusals, state.code) ? refusals[state.code] : undefined
  if (state && refusal) return refusal(state, named)
  if (state && state.code.length === 5 && badValue.test(state.code)) return problem('invalid', {}, error)
  return isDatabaseAway(error) ? problem('unavailable', { retryAfterS: 2 }, error) : undefined
}
