import { describe, expect, it } from 'vitest'
import { withArticle } from '#schema/check/report/report.ts'
import { isWritable, mayRead, mayWrite } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { operatorsOf } from '#schema/list-query.ts'
import { type Role, roles } from '#schema/roles.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import type { Json } from './proven.ts'
import { sampleOf } from './samples.ts'
import { skipCheck } from './skipped-checks.ts'
import { at, fields, mayDo, resource, type Subject } from './subject.ts'
import { untriedParts } from './untried-parts.ts'
import { unwritten } from './unwritten.ts'

const guarded = fields.filter(([, { access }]) => access)
const caller = (role: Role) => `${role}:${role}-1`

/** Names of the columns of an exported table, as the paths of fields. */
async function exported(subject: Subject, role: Role, columns?: string) {
  const query = columns ? `?columns=${columns}` : ''
  return await subject.server.get(`export/${resource.name}${query}`, caller(role))
}

async function unread(subject: Subject, name: string, field: Field, role: Role, record: Json | undefined) {
  const { server, creator } = subject
  if (record) await subject.bringTo(record.id, { role, userId: `${role}-1` })
  const sample = encodeURIComponent(String(sampleOf(field, 1) ?? 'x'))
  const list = await server.get(at('', 'list'), caller(role))
  expect(list.status, `the list: ${list.text}`).toBe(200)
  for (const row of list.rows) expect(row, 'a row of the list').not.toHaveProperty(name)
  for (const query of [`${name}=${sample}`, `_sort=${name}&_order=asc`])
    expect((await server.get(`${at('', 'list')}?${query}`, caller(role))).status, `the list by ${query}`).toBe(400)
  expect((await exported(subject, role, name)).status, 'the export of the field').toBe(400)
  const whole = await exported(subject, role)
  expect(whole.status, `the export: ${whole.text}`).toBe(200)
  const head = whole.text.replace('\uFEFF', '').split(/\r?\n/)[0]?.split(/[,;]/)
  expect(head, 'the head of the export').not.toContain(field.label[0])
  if (!record) return skipCheck(`${name}, unread by ${withArticle(role)} in the record`, 'no record can be made here')
  const shown = await server.get(at(record.id, 'show'), caller(role))
  if (shown.status === 404)
    return skipCheck(`${name}, unread by ${withArticle(role)} in the record`, 'its scope does not reach the record')
  expect(shown.body, 'the record').not.toHaveProperty(name)
  // A field that nobody gets would be kept from this role as well.
  if (creator && mayRead(field, creator))
    expect(
      (await server.get(at(record.id, 'show'), creator)).body,
      `the record as ${withArticle(creator)} has it`,
    ).toHaveProperty(name)
}

/** A record whose guarded fields are filled as far as its maker may fill them. */
const filled = async (subject: Subject): Promise<Json | undefined> => {
  const maker = subject.creator
  if (!maker) return undefined
  const values = guarded
    .filter(([, field]) => mayWrite(field, maker) && isWritable(field, 'create') && !field.when)
    .map(([name, field]) => [name, sampleOf(field, subject.next())] as const)
    .filter(([, value]) => value !== undefined)
  return await subject.made(Object.fromEntries(values))
}

type Cell = { title: string; holds: (subject: Subject, record: Json | undefined) => Promise<void> }

const changers = roles.filter((role) => mayDo('create').includes(role) || mayDo('edit').includes(role))

/** The roles that a field is closed to although they list or change records. */
function cellsOf(name: string, field: Field): Cell[] {
  const blind = mayDo('list').filter((role) => !mayRead(field, role))
  const bound = changers.filter((role) => !mayWrite(field, role))
  const isInForm = isStored(field) && isWritable(field, 'edit')
  if (blind.length + bound.length === 0) skipCheck(name, 'each role that may see or change records may read and write it, too')
  if (blind.length > 0 && operatorsOf(field).length === 0)
    skipCheck(`${name} as a filter`, `${withArticle(field.type)} is none for anybody`)
  if (bound.length > 0 && !isInForm) skipCheck(`${name}, written`, 'no form has it')
  const unreadBy = blind.map((role) => ({
    title: `${name} unread by ${withArticle(role)}`,
    holds: (subject: Subject, record: Json | undefined) => unread(subject, name, field, role, record),
  }))
  const unwrittenBy = (isInForm ? bound : []).map((role) => ({
    title: `${name} not written by ${withArticle(role)}`,
    holds: (subject: Subject, record: Json | undefined) => unwritten(subject, { name, field, role, record }),
  }))
  return [...unreadBy, ...unwrittenBy]
}

/** Fields with an `access` of their own, each by each role that it is closed to. */
export function fieldCells(subject: () => Subject): void {
  if (guarded.length === 0) skipCheck('access of fields', 'no field of the record has one of its own')
  for (const { path, facts } of untriedParts(resource.fields))
    skipCheck(`${path} (${facts.join(', ')})`, 'parts of groups and lists are not tried; write a test of your own')
  const cells = guarded.flatMap(([name, field]) => cellsOf(name, field))
  if (cells.length === 0) return
  describe('keeps a field from those who may not have it', () => {
    it.each(cells)('$title', async ({ holds }) => holds(subject(), await filled(subject())))
  })
}
