import { expect } from 'vitest'
import { withArticle } from '#schema/check/report/report.ts'
import { rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Role } from '#schema/roles.ts'
import { isReference } from './maker.ts'
import { addressOf, type Json, makerOf } from './proven.ts'
import { sampleOf } from './samples.ts'
import { skipCheck } from './skipped-checks.ts'
import type { Subject } from './subject.ts'
import { faultsIn, Unmade } from './transport.ts'

type Closed = { name: string; field: Field; role: Role; record: Json | undefined }
type Trial = { value?: unknown; why?: string }

/** A value that a role which may write the field could send, so that a refusal is of the role alone; `why` there is none. */
async function trialOf(subject: Subject, name: string, field: Field): Promise<Trial> {
  if (!isReference(field)) return { value: sampleOf(field, subject.next()), why: 'there is no sample value of it' }
  const { resource } = subject.proven
  try {
    const making = { as: makerOf(resource) ?? 'admin', depth: 0, values: await subject.body() }
    return { value: await subject.maker.valueOf(resource, name, field, making) }
  } catch (error) {
    if (error instanceof Unmade) return { why: error.message }
    throw error
  }
}

/** A role that may not write a field makes no record with it and changes it in none. */
export async function unwritten(subject: Subject, { name, field, role, record }: Closed): Promise<void> {
  const { server, proven } = subject
  const { resource } = proven
  const caller = `${role}:${role}-1`
  const { value, why = '' } = await trialOf(subject, name, field)
  if (value === undefined) return skipCheck(`${name}, not written by ${withArticle(role)}`, why)
  if (rolesFor(resource, 'create').includes(role)) {
    const body = { ...(await subject.body()), [name]: value }
    const before = await subject.count()
    const answer = await server.post(addressOf(resource, 'create'), body, caller)
    expect([400, 403], `a new record: ${answer.text}`).toContain(answer.status)
    expect(faultsIn(answer), `a new record: ${answer.text}`).toContain(name)
    expect(await subject.count(), 'records').toBe(before)
  }
  if (!rolesFor(resource, 'edit').includes(role)) return
  if (!record) return skipCheck(`${name}, not changed by ${withArticle(role)}`, 'no record can be made here')
  await subject.bringTo(record.id, { role, userId: `${role}-1` })
  const before = await subject.row(record.id)
  const answer = await server.put(addressOf(resource, 'edit', record.id), { [name]: value, version: before?.version }, caller)
  expect([400, 403, 404], `a change: ${answer.text}`).toContain(answer.status)
  if (answer.status !== 404) expect(faultsIn(answer), `a change: ${answer.text}`).toContain(name)
  expect(await subject.row(record.id), 'the row').toEqual(before)
}
