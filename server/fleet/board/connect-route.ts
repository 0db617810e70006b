import { z } from 'zod'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import { fleetStaff, isStaff } from '#schema/roles.ts'
import { connectAnswer } from '#schema/wire/connect.ts'
import { problem } from '#server/base/problems.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { connectFacts, lastFrameUnderOtherKey, packetsSince, unknownKeySources } from './connect-facts.ts'
import { connectSteps } from './connect-steps.ts'

const idParams = z.object({ id: z.string().min(1).max(64).meta({ description: 'Id of the board' }) })

/** For all roles but those of the staff the last part of an address is masked, as in the board's record. */
const masked = (ip: string) => ip.replace(/[^.:]+$/, '*')

/** Connection progress of a board and its obstacles. */
export const connectRoute: NonNullable<ResourceRules['routes']> = (api, { withoutTransaction }) => {
  const schema = {
    summary: 'How far the connection of a board is, step by step, with what stands in the way',
    tags: ['control-pcb'],
    params: idParams,
    response: { 200: connectAnswer },
  }
  api.get('/control-pcb/:id/connect', { schema, config: { access: fleetStaff }, ...asAnswered }, (request) =>
    withoutTransaction(request, async ({ db, now, caller: { role } }) => {
      const { id } = request.params
      const facts = await connectFacts(db, id)
      if (!facts) throw problem('not-found')
      const since = new Date(now.getTime() - dayMs)
      const shown = (ip: string) => (isStaff(role) ? ip : masked(ip))
      const strangers = await unknownKeySources(db, new Date(now.getTime() - hourMs))
      const steps = connectSteps({
        facts: { ...facts, formerKeyIp: facts.formerKeyIp && shown(facts.formerKeyIp) },
        packets: await packetsSince(db, id, since),
        lastFrameUnderOtherKey: await lastFrameUnderOtherKey(db, facts.uid, since),
        strangers: strangers.map(({ ip, ...rest }) => ({ ...rest, ip: shown(ip) })),
      })
      const { uid, keyAt, keyUsedAt } = facts
      const heartbeat = encodeFrame({ type: 'HEARTBEAT', seq: 0, uid, time: now, values: {} })
      return { uid, keyAt, keyUsedAt, steps, frameHex: heartbeat.toString('hex') }
    }),
  )
}
