import { expect } from 'vitest'
import { isWritable } from '#schema/definition.ts'
import { faultText } from '#schema/faults.ts'
import type { FieldOf } from '#schema/field-types.ts'
import { isReference } from './maker.ts'
import { addressOf, fieldsOf, makerOf, type Proven } from './proven.ts'
import { skipCheck } from './skipped-checks.ts'
import type { Subject } from './subject.ts'

export type ReferenceField = { name: string; field: FieldOf<'reference'> | FieldOf<'references'> }

/** Fields of a new record that point to others. */
export const referenceFieldsOf = ({ resource }: Proven): ReferenceField[] =>
  fieldsOf(resource).flatMap(([name, field]) =>
    isReference(field) && isWritable(field, 'create') && !field.when && !field.access ? [{ name, field }] : [],
  )

const nowhere = '01890000-0000-7000-8000-000000000000'

/** A reference to nothing, and to a record that its options do not offer, is refused at its field. */
export async function refusesWrongReferences(subject: Subject, { name, field }: ReferenceField): Promise<void> {
  const { maker, proven } = subject
  const of = proven.resource
  const as = makerOf(of) ?? 'admin'
  // One body for all: what is offered may depend on its other values.
  const values = await subject.body()
  const sends = async (id: string, code: string) => {
    const body = { ...values, [name]: field.type === 'references' ? [id] : id }
    const answer = await maker.transport.call('POST', addressOf(of, 'create'), { as, body })
    const fault = Object.entries(Object(answer.body.fields)).find(([path]) => path.split('.')[0] === name)?.[1]
    expect([answer.status, fault], `${code}: ${answer.text}`).toEqual([400, faultText({ path: name, code }, 'en')])
  }
  await sends(nowhere, 'no-such-record')
  if (field.options === undefined) return
  const other = await maker.notOffered(field, { as, depth: 0, values })
  if (other === undefined)
    return skipCheck(`${name}, one that is not offered`, `no record is known that ${field.options} leaves out`)
  await sends(other, 'not-offered')
}
