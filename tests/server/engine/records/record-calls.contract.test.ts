import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { ActionCall } from '#server/engine/records/resource-rules.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { people } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const

const order = defineResource({
  name: 'order',
  label: { one: ['Order', 'Заказ'], many: ['Orders', 'Заказы'] },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true },
    parcelCode: { type: 'text', label: ['Code of the parcel', 'Код посылки'] },
  },
  actions: {
    ship: { label: ['Ship', 'Отправить'] },
    'ship-for': { label: ['Ship for', 'Отправить за'] },
    deliver: { label: ['Deliver', 'Доставить'] },
    recall: { label: ['Recall', 'Отозвать'] },
    change: { label: ['Change', 'Изменить'], form: { values: { type: 'json', label: ['Values', 'Значения'] } } },
    pack: { label: ['Pack', 'Упаковать'], form: { values: { type: 'json', label: ['Values', 'Значения'] } } },
  },
  access: { list: staff, create: staff, edit: staff, delete: ['admin'] },
})

const parcel = defineResource({
  name: 'parcel',
  label: { one: ['Parcel', 'Посылка'], many: ['Parcels', 'Посылки'] },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    orderId: { type: 'reference', label: ['Order', 'Заказ'], to: 'order', required: true },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'PACKED',
      states: {
        PACKED: { tone: 'idle', label: ['Packed', 'Упакована'], next: ['SENT'] },
        SENT: { tone: 'good', label: ['Sent', 'Отправлена'], next: ['ARRIVED'] },
        ARRIVED: { tone: 'good', label: ['Arrived', 'Доставлена'] },
      },
    },
    check: {
      type: 'status',
      label: ['Check', 'Проверка'],
      default: 'OPEN',
      readOnly: true,
      states: {
        OPEN: { tone: 'idle', label: ['Open', 'Открыта'], next: ['DONE'] },
        DONE: { tone: 'good', label: ['Done', 'Готова'], next: ['FILED'] },
        FILED: { tone: 'good', label: ['Filed', 'В архиве'] },
      },
    },
    seal: { type: 'text', label: ['Seal', 'Пломба'], readOnly: { field: 'check', op: 'ne', value: 'OPEN' } },
    size: {
      type: 'group',
      label: ['Size', 'Размер'],
      fields: {
        note: { type: 'text', label: ['Note', 'Заметка'] },
        pieces: { type: 'integer', label: ['Pieces', 'Штук'], readOnly: true },
      },
    },
    price: { type: 'integer', label: ['Price', 'Цена'], readOnly: true, access: { write: ['admin'] } },
    lot: { type: 'text', label: ['Lot', 'Партия'], immutable: true },
    isSent: { type: 'boolean', label: ['Sent', 'Отправлена'], derived: true },
  },
  access: { list: staff, create: ['admin'], edit: staff, delete: ['admin'] },
})

const values = ({ id, record }: ActionCall) => ({ code: record?.parcelCode ?? null, orderId: id })
const parcelOf = async ({ id, work }: ActionCall) =>
  String((await work.db.selectFrom('parcel').select('id').where('orderId', '=', id).executeTakeFirstOrThrow()).id)

const rules: RulesByResource = {
  order: {
    actions: {
      ship: async (call) => void (await call.work.records.create('parcel', values(call))),
      'ship-for': async (call) => void (await call.work.records.as('admin').create('parcel', values(call))),
      deliver: async (call) => void (await call.work.records.update('parcel', await parcelOf(call), { state: 'ARRIVED' })),
      change: async (call) => void (await call.work.records.update('parcel', await parcelOf(call), Object(call.values.values))),
      pack: async (call) => void (await call.work.records.create('parcel', { ...values(call), ...Object(call.values.values) })),
      recall: async (call) => void (await call.work.records.remove('parcel', await parcelOf(call), 'recalled')),
    },
  },
  parcel: {
    derived: { isSent: sql`"t"."state" <> 'PACKED'` },
    beforeCreate: async (row) => ({ ...row, code: `P-${row.code}` }),
  },
}

describe.each(oneEngine(import.meta.filename))('a call of the engine by a handler on $name', (engine) => {
  let server: ToyServer
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, rules, definitionsOf([order, parcel, people]))
  })
  afterAll(() => server?.close())

  const newOrder = async (parcelCode?: string) => {
    count += 1
    return String((await server.made('order', { code: `O-${count}`, ...(parcelCode ? { parcelCode } : {}) })).id)
  }
  const run = (id: string, action: string, as = 'admin') => server.put(`order/${id}/${action}`, {}, as)
  const parcels = (id: string) => server.select(`select * from "parcel" where "orderId" = '${id}'`)

  it('makes a record with the rules, the audit entry and the event of a call of the API', async () => {
    const id = await newOrder('MAKE')
    expect((await run(id, 'ship')).status).toBe(200)
    const [made] = await parcels(id)
    expect(made).toMatchObject({ code: 'P-MAKE', state: 'PACKED', version: 1, createdBy: 'u1' })
    expect(
      await server.select(
        `select "action", "actorId" from "auditLog" where "entityType" = 'parcel' and "entityId" = '${made?.id}'`,
      ),
    ).toEqual([{ action: 'create', actorId: 'u1' }])
    expect(
      await server.select(`select "type" from "event" where "resource" = 'parcel' and "entityId" = '${made?.id}'`),
    ).toEqual([{ type: 'created' }])
  })

  it('refuses what the checks refuse, and takes the action back with it', async () => {
    const id = await newOrder()
    const before = await server.select('select count(*) as "n" from "auditLog"')
    const refused = await run(id, 'ship')
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toHaveProperty('code')
    expect(await parcels(id)).toEqual([])
    expect(await server.select('select count(*) as "n" from "auditLog"')).toEqual(before)
  })

  it('refuses a value that another record holds, as the API does', async () => {
    expect((await run(await newOrder('TWICE'), 'ship')).status).toBe(200)
    expect((await run(await newOrder('TWICE'), 'ship')).status).toBe(409)
  })

  it('has the rights of the caller, and those of another role only where the handler says so', async () => {
    const id = await newOrder('RIGHTS')
    expect((await run(id, 'ship', 'moderator:m1')).status).toBe(403)
    expect((await run(id, 'ship-for', 'moderator:m1')).status).toBe(200)
    const [made] = await parcels(id)
    expect(made).toMatchObject({ createdBy: 'm1' })
    const [entry] = await server.select(`select "role", "actorId" from "auditLog" where "entityId" = '${made?.id}'`)
    expect(entry).toEqual({ role: 'moderator', actorId: 'm1' })
  })

  it('changes a record along its transitions only', async () => {
    const id = await newOrder('STEPS')
    await run(id, 'ship')
    expect((await run(id, 'deliver')).status).toBe(409)
    const [made] = await parcels(id)
    expect((await server.put(`parcel/${made?.id}`, { state: 'SENT', version: 1 })).status).toBe(200)
    expect((await run(id, 'deliver')).status).toBe(200)
    expect(await parcels(id)).toMatchObject([{ state: 'ARRIVED', version: 3 }])
  })

  const change = (id: string, values: object, as?: string) => server.put(`order/${id}/change`, { values }, as)
  const packed = async (code: string) => {
    const id = await newOrder(code)
    await run(id, 'ship')
    const [made] = await parcels(id)
    return { id, parcelId: String(made?.id) }
  }

  it('changes what is read-only in forms, along its transitions, with audit entry, version and event', async () => {
    const { id, parcelId } = await packed('CLOSED')
    expect((await server.put(`parcel/${parcelId}`, { check: 'DONE', version: 1 })).status).toBe(400)
    expect((await change(id, { check: 'FILED' })).status).toBe(409)
    expect((await change(id, { check: 'DONE', price: 12, size: { note: 'small', pieces: 3 } })).status).toBe(200)
    expect(await parcels(id)).toMatchObject([
      { check: 'DONE', price: 12, size: { note: 'small', pieces: 3 }, version: 2, updatedBy: 'u1' },
    ])
    expect(
      await server.select(
        `select "before"->>'check' as "from", "after"->>'check' as "to" from "auditLog" where "entityId" = '${parcelId}' and "action" = 'update'`,
      ),
    ).toEqual([{ from: 'OPEN', to: 'DONE' }])
    expect(await server.select(`select "type" from "event" where "entityId" = '${parcelId}' order by "id"`)).toEqual([
      { type: 'created' },
      { type: 'updated' },
    ])
  })

  it('changes what a rule has closed for forms', async () => {
    const { id, parcelId } = await packed('SEALED')
    expect((await change(id, { check: 'DONE' })).status).toBe(200)
    expect((await server.put(`parcel/${parcelId}`, { seal: 'A', version: 2 })).status).toBe(400)
    expect((await change(id, { seal: 'B' })).status).toBe(200)
    expect(await parcels(id)).toMatchObject([{ seal: 'B' }])
  })

  it('makes a record with what is read-only in forms', async () => {
    const id = await newOrder('PRICED')
    expect((await server.put(`order/${id}/pack`, { values: { price: 7, lot: 'L1' } })).status).toBe(200)
    expect(await parcels(id)).toMatchObject([{ price: 7, lot: 'L1', check: 'OPEN' }])
  })

  it('changes nothing that is computed, set on create only, wrong, or not of its role', async () => {
    const { id } = await packed('FIXED')
    for (const values of [{ isSent: true }, { lot: 'L2' }, { price: 'much' }, { nothing: 1 }])
      expect((await change(id, values)).status, JSON.stringify(values)).toBe(400)
    expect((await change(id, { price: 1 }, 'moderator')).status).toBe(400)
    expect(await parcels(id)).toMatchObject([{ version: 1, price: null }])
  })

  it('deletes a record with a trace of it and its reason', async () => {
    const id = await newOrder('GONE')
    await run(id, 'ship')
    const [made] = await parcels(id)
    expect((await run(id, 'recall')).status).toBe(200)
    expect(await parcels(id)).toEqual([])
    expect(
      await server.select(`select "reason" from "auditLog" where "action" = 'delete' and "entityId" = '${made?.id}'`),
    ).toEqual([{ reason: 'recalled' }])
  })
})
