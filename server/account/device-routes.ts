import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { notified } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, addAudit } from '#server/engine/audit/audit-entry.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { countDevices, deviceOf, listDevices, registerDevice, removeDevice } from '#server/notify/device-store.ts'
import { addPushJobs } from '#server/notify/push-jobs.ts'
import { holdOwnAccount } from './session/sign-out.ts'

const deviceSchema = z.object({
  id: z.string(),
  platform: z.string(),
  isDebug: z.boolean(),
  label: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  lastOkAt: z.string().nullable(),
  failures: z.int(),
  disabledAt: z.string().nullable(),
})
const idSchema = z.object({ id: z.string() })
const body = z.strictObject({
  isDebug: z.boolean(),
  platform: z.literal('web'),
  // Opaque, but printable ASCII with every push service; PostgreSQL text cannot store U+0000.
  pushId: z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'invalid'),
})

const hourS = 3600
const title: Label = ['Test notification', 'Проверка уведомлений']
const text: Label = ['Notifications reach this device.', 'Уведомления приходят на это устройство.']

/** Audit entry of a device; push ids stay out of the log. */
const lineOf = (request: FastifyRequest, { now, action, id }: { now: Date; action: string; id: string }): AuditEntry => {
  const { userId, role } = callerOf(request)
  return { at: now, actorId: userId, role, action, entityType: 'device', entityId: id, requestId: request.id, ip: request.ip }
}

function registerRoute(api: Api, { database, clock }: ServerContext): void {
  const config = { access: notified, audit: { action: 'create', entityType: 'device' } } as const
  const summary = 'Register this browser for notifications; a push id that is known moves to the caller'
  const schema = { summary, tags: ['device'], body, response: { 200: idSchema, 201: idSchema } }
  api.post('/device', { config, schema }, async (request, reply) => {
    const caller = callerOf(request)
    const { userId } = caller
    const { isDebug, pushId } = request.body
    const label = deviceLabel(request.headers['user-agent'])
    const registered = await inTransaction(database, async (db) => {
      await holdOwnAccount({ db, caller })
      const now = clock()
      const done = await registerDevice(db, { userId, pushId, isDebug, label, now })
      if (done === 'too-many') throw problem('too-many', { retryAfterS: hourS })
      const { id, was } = done
      if (was !== 'known')
        await addAudit(db, {
          ...lineOf(request, { now, action: was === 'moved' ? 'move' : 'create', id }),
          after: { isDebug, label },
        })
      return done
    })
    return reply.code(registered.was === 'new' ? 201 : 200).send({ id: registered.id })
  })
}

function ownRoutes(api: Api, { database, clock }: ServerContext): void {
  const config = { access: 'user' } as const
  const list = { summary: 'Own devices that get notifications', tags: ['device'], response: { 200: z.array(deviceSchema) } }
  api.get('/device', { config, schema: list }, async (request, reply) => {
    const { userId } = callerOf(request)
    reply.header('X-Total-Count', await countDevices(database.kysely, userId))
    return listDevices(database.kysely, userId)
  })

  const remove = { summary: 'Remove one of the own devices', tags: ['device'], params: idParams, response: { 204: z.null() } }
  api.delete('/device/:id', { config, schema: remove }, async (request, reply) => {
    const { id } = request.params
    await inTransaction(database, async (db) => {
      if (!(await removeDevice(db, { id, userId: callerOf(request).userId }))) throw problem('not-found')
      await addAudit(db, lineOf(request, { now: clock(), action: 'delete', id }))
    })
    return reply.code(204).send(null)
  })
}

function testRoute(api: Api, { database, clock }: ServerContext): void {
  const summary = 'Send a test notification to one of the own devices'
  const schema = { summary, tags: ['device'], params: idParams, response: { 202: deviceSchema } }
  api.post('/device/:id/test', { config: { access: notified }, schema }, async (request, reply) => {
    const { id } = request.params
    const { userId } = callerOf(request)
    const device = await inTransaction(database, async (db) => {
      const found = await deviceOf(db, { id, userId })
      if (!found) throw problem('not-found')
      const now = clock()
      const { waitS } = await takeAttempt(db, [limits.pushTest(userId)], now)
      if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
      if (found.disabledAt) throw problem('device.disabled')
      const note = { id: uuidv7(), title, body: text, link: '/profile', deviceId: id }
      await addPushJobs(db, { note, now, devices: sql`"id" = ${id}` })
      await addAudit(db, lineOf(request, { now, action: 'test', id }))
      return found
    })
    return reply.code(202).send(device)
  })
}

/** Routes below /device: each user manages the own devices. */
export const devicesPart: ServerPart = {
  name: 'devices',
  register(api, context) {
    registerRoute(api, context)
    ownRoutes(api, context)
    testRoute(api, context)
  },
}
