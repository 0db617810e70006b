import { expect } from 'vitest'
import { withArticle } from '#schema/check/report/report.ts'
import { isWritable, rolesFor } from '#schema/definition.ts'
import { faultText } from '#schema/faults.ts'
import { type Field, holdsFiles, isSentAlone } from '#schema/field-types.ts'
import { notTried } from '#tests/prove/report/not-tried.ts'
import { otherValue } from './fitting.ts'
import { isReference } from './maker.ts'
import { addressOf, fieldsOf, type Json, makerOf, type Proven } from './proven.ts'
import { sampleOf, wrongValues } from './samples.ts'
import { skipCheck } from './skipped-checks.ts'
import type { Subject } from './subject.ts'
import { codeOf, faultsIn, Unmade } from './transport.ts'

type Named = [string, Field]

const isPointing = (field: Field): boolean =>
  isReference(field) || holdsFiles(field) || ('fields' in field && Object.values<Field>(field.fields).some(isPointing))

/** Fields of a new record that no condition hides, and that values are known of. */
export function openFieldsOf({ resource }: Proven): Named[] {
  return fieldsOf(resource).filter(([name, field]) => {
    if (!isWritable(field, 'create') || field.access || isSentAlone(field)) return false
    const isHidden = field.when !== undefined
    const isKnown = isPointing(field) || sampleOf(field, 1) !== undefined
    if (isHidden) skipCheck(`${name}, written and read back`, 'a condition shows it')
    else if (!isKnown)
      skipCheck(`${name}, written and read back`, `there is no sample value of ${withArticle(field.type)} like this`)
    return !isHidden && isKnown
  })
}

/** Reasons why a change of a field is not read back. */
const unchanged: [(field: Field) => boolean, string][] = [
  [({ readOnly }) => readOnly !== undefined, 'a rule closes it'],
  [({ type }) => type === 'secret', 'a secret is never read back'],
  [({ type }) => type === 'group', 'a group is tried in new records only'],
]

const editableOf = (open: readonly Named[]): Named[] =>
  open.filter(([name, field]) => {
    if (!isWritable(field, 'edit') || field.type === 'status') return false
    const why = unchanged.find(([holds]) => holds(field))?.[1]
    if (why) skipCheck(`${name}, changed and read back`, why)
    return !why
  })

/** A value of a field that points to records or holds files; notes the reason where there is none. */
async function pointed(
  subject: Subject,
  [name, field]: Named,
  { values, check }: { values: Json; check: string },
): Promise<unknown> {
  const of = subject.proven.resource
  const making = { as: makerOf(of) ?? 'admin', depth: 0, values }
  return await subject.maker.valueOf(of, name, field, making).catch((error: unknown) => {
    if (!(error instanceof Unmade)) throw error
    skipCheck(`${name}, ${check} and read back`, error.message)
    return undefined
  })
}

/** Values of a new record, also of those fields that it may leave empty and that point to records or hold files. */
async function wholeBody(subject: Subject, open: readonly Named[]): Promise<Json> {
  const values = await subject.body()
  for (const [name, field] of open.filter(([name, field]) => isPointing(field) && (!(name in values) || 'fields' in field))) {
    const value = await pointed(subject, [name, field], { values, check: 'written' })
    if (value !== undefined) values[name] = value
  }
  return values
}

/** Values of a new record are read back as they were written. */
export async function givesBack(subject: Subject, open: readonly Named[]): Promise<void> {
  const { maker, proven, creator } = subject
  await subject.alone()
  const as = creator ?? 'admin'
  const values = await wholeBody(subject, open)
  const made = await maker.transport.call('POST', addressOf(proven.resource, 'create'), { as, body: values })
  if (made.status === 400 && maker.leavesOut(proven.resource, { answer: made, body: values, as }))
    return await givesBack(subject, open)
  expect(made.status, made.text).toBe(201)
  const shown = await maker.shown(proven.resource, made.body.id)
  for (const [name, value] of Object.entries(values))
    if (proven.resource.fields[name]?.type !== 'secret')
      expect(shown, `${name}, written as ${JSON.stringify(value)} and read as ${JSON.stringify(shown[name])}`).toMatchObject({
        [name]: value,
      })
}

/** A change of each field is read back, and leaves the others. */
export async function keepsChanges(subject: Subject, open: readonly Named[]): Promise<void> {
  const { maker, proven } = subject
  const of = proven.resource
  const as = subject.creator ?? 'admin'
  if (!rolesFor(of, 'edit').includes(as)) return notTried('changes', 'no form changes a record')
  const editable = editableOf(open)
  const record = await subject.made()
  let [changed, bound] = [0, 0]
  for (const [name, field] of editable) {
    const before = await maker.shown(of, record.id)
    const value = isPointing(field)
      ? await pointed(subject, [name, field], { values: before, check: 'changed' })
      : otherValue(of, before, name, maker.next())
    if (value === undefined) {
      if (!isPointing(field))
        skipCheck(`${name}, changed and read back`, 'no other value keeps the rules beside the other values')
      bound += 1
      continue
    }
    const body = { [name]: value, version: before.version }
    const answer = await maker.transport.call('PUT', addressOf(of, 'edit', record.id), { as, body })
    if (answer.status === 400 && codeOf(answer) !== 'invalid') {
      skipCheck(`${name}, changed and read back`, `a rule of the server refuses the sample (${codeOf(answer)})`)
      bound += 1
      continue
    }
    // A rule of the server may refuse the value, but at another field: this one takes it.
    if (answer.status === 400) expect(faultsIn(answer), `${name}: ${answer.text}`).not.toContain(name)
    else
      expect([answer.status, answer.body[name]], `${name} as ${JSON.stringify(value)}: ${answer.text}`).toEqual([
        200,
        expectedOf(value),
      ])
    changed += answer.status === 200 ? 1 : 0
  }
  expect(changed > 0, 'a field was changed').toBe(editableOf(open).length > bound)
}

/** Rows of a list are read with what their references point to beside them. */
const expectedOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'object' ? expect.objectContaining(one) : one)) : value

/** A value that a field does not take is refused at it, in the language that is asked for. */
export async function refusesOutOfBounds(subject: Subject, open: readonly Named[]): Promise<void> {
  const { maker, proven, creator } = subject
  for (const [name, field] of open)
    for (const [what, value] of wrongValues(field)) {
      const body = { ...(await subject.body()), [name]: value }
      const send = (language: string) =>
        maker.transport.call('POST', addressOf(proven.resource, 'create'), {
          as: creator ?? 'admin',
          body,
          headers: { 'accept-language': language },
        })
      const [english, russian] = [await send('en'), await send('ru')]
      expect([english.status, russian.status], `${name} ${what}, ${JSON.stringify(value)}: ${english.text}`).toEqual([400, 400])
      const isNamed = faultsIn(english).some((path) => path.split('.')[0] === name)
      expect(isNamed, `${name} ${what}: ${english.text}`).toBe(true)
      // Items that are made up are wrong in more than their number: the refusal has to name it.
      const max = 'maxItems' in field ? field.maxItems : undefined
      const reason =
        what === 'too many' && max !== undefined ? faultText({ path: name, code: 'too-many', params: { max } }, 'en') : ''
      expect(Object.values(Object(english.body.fields)).join(), `${name} ${what}`).toContain(reason)
      expect(russian.text, `${name} ${what}`).toMatch(/\p{Script=Cyrillic}/u)
      expect(JSON.stringify(english.body.fields), `${name} ${what}`).not.toMatch(/\p{Script=Cyrillic}/u)
    }
}
