import { isDatabaseAway } from '#server/db/database-problem.ts'

const failureOf = (name: string, error: unknown) => new Error(`${name} failed`, { cause: error })

/**
 * Works on every member of a round: one that fails stops no other, and the failures are thrown when all had their turn. A
 * database that does not answer ends the round at once, since it would fail every member; a statement that takes too long is
 * its member's failure.
 */
export async function eachInTurn<T>(
  members: readonly T[],
  nameOf: (member: T) => string,
  work: (member: T) => Promise<unknown>,
): Promise<void> {
  const failures: Error[] = []
  for (const member of members) {
    try {
      await work(member)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      failures.push(failureOf(nameOf(member), error))
    }
  }
  const [first] = failures
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of ${members.length} failed`)
  if (first) throw first
}
