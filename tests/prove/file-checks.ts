import { expect } from 'vitest'
import { isWritable } from '#schema/definition.ts'
import { type Field, type FieldOf, holdsFiles } from '#schema/field-types.ts'
import { fileSample, wrongFiles } from './file-samples.ts'
import { addressOf, fieldsOf, type Json, makerOf, type Proven } from './proven.ts'
import { skipCheck } from './skipped-checks.ts'
import type { Subject } from './subject.ts'

export type FileField = { name: string; field: FieldOf<'file'> | FieldOf<'files'> }

const isFile = (field: Field): field is FileField['field'] => field.type === 'file' || field.type === 'files'

/** Fields of a new record that hold files. */
export const fileFieldsOf = ({ resource }: Proven): FileField[] =>
  fieldsOf(resource).flatMap(([name, field]) => (isFile(field) && isWritable(field, 'create') ? [{ name, field }] : []))

/** Files that the facts of the field forbid are refused at it, and no record is made of them. */
export async function refusesWrongFiles(subject: Subject, { name, field }: FileField): Promise<void> {
  const { maker, proven } = subject
  const as = makerOf(proven.resource)
  const sample = fileSample(field, maker.next(), proven.resource.name)
  if (!as || !sample) return skipCheck(`${name}, wrong files`, 'no small file is known that it takes')
  const isAlone = !holdsFiles(field)
  const path = isAlone ? addressOf(proven.resource, 'create') : `files/${proven.resource.name}/${name}`
  const wrong = wrongFiles(field, sample)
  if (field.accept === undefined) skipCheck(`${name}, a file of a forbidden type`, 'it takes any type')
  for (const { what, file, status, says } of wrong) {
    const answer = await maker.sendFile(path, file, as)
    expect([answer.status, Object(answer.body.fields)[name]], `${what}: ${answer.text}`).toEqual([status, says])
  }
  expect(wrong.length, 'wrong files').toBeGreaterThan(1)
}

const storedIn = (value: unknown): Json[] => [value].flat().map((one) => Object(one))

/** The bytes of a record's file are those that were sent. */
export async function givesFilesBack(subject: Subject, { name, field }: FileField): Promise<void> {
  const { maker, proven } = subject
  const as = makerOf(proven.resource) ?? 'admin'
  const seed = maker.next()
  const file = fileSample(field, seed, proven.resource.name)
  if (!file) return skipCheck(`${name}, written and read back`, 'no small file is known that it takes')
  const sent = await maker.sendFile(
    holdsFiles(field) ? `files/${proven.resource.name}/${name}` : addressOf(proven.resource, 'create'),
    file,
    as,
  )
  expect(sent.status, sent.text).toBe(201)
  const value = field.type === 'files' ? [sent.body] : sent.body
  const record = holdsFiles(field) ? await subject.made({ [name]: value }) : sent.body
  const shown = await maker.shown(proven.resource, record.id)
  const [stored] = storedIn(shown[name])
  expect(stored, 'the file in the record').toMatchObject({ name: file.name, sizeBytes: file.content.length })
  const path = `${addressOf(proven.resource, 'show', record.id)}/${name}${field.type === 'files' ? `/${stored?.id}` : ''}`
  const bytes = await subject.download(path, as)
  expect(bytes.equals(file.content), 'the bytes that are read are those that were sent').toBe(true)
}
