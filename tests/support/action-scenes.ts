import { uuidv7 } from 'uuidv7'
import { hourMs } from '#schema/format/durations.ts'
import type { Role } from '#schema/roles.ts'
import type { BoardServer, TestBoard } from './board-server.ts'
import { TemplateRollouts } from './template-rollouts.ts'
import { releasedId, UpdatingBoard } from './updating-board.ts'

type Values = Record<string, unknown>
/** The record that an action is run on, and what its form needs beyond free text. */
export type Scene = { id: string; values?: Values; role?: Role }
type Setting = () => Promise<Scene>

let count = 0

/** A record in the right state for every action of the product: `ess set-owner`. */
export function scenesOf(server: BoardServer): Readonly<Record<string, Setting>> {
  const rows = server.rows.bind(server)

  const person = async (role: Role): Promise<string> => {
    const id = uuidv7()
    await rows(`insert into "user" ("id", "email", "role") values ('${id}', '${role}-${++count}@scene.example', '${role}')`)
    await rows(`insert into "credential" ("userId", "passwordHash") values ('${id}', 'none')`)
    return id
  }
  const done = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}): Promise<Values> => {
    const answer = await server.call<Values>(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const unit = () => UpdatingBoard.add(server)
  const site = async (): Promise<{ essId: string; board: TestBoard }> => {
    const board = await server.addBoard()
    return { essId: board.essId ?? '', board }
  }
  const withPerson = async (kind: 'guest' | 'service-engineer', role: Role, more: Values = {}) => {
    const { essId } = await site()
    const userId = await person(role)
    await done('POST', `ess/${essId}/invite-${kind}`, { userId, ...more })
    return { id: essId, values: { userId } }
  }
  const warning = async (facts: Values = {}): Promise<string> => {
    const { essId, board } = await site()
    const row = { id: uuidv7(), code: 'DOOR_OPEN', severity: 'WARNING', essId, controlPcbId: board.id, ...facts }
    const all = { active: true, acknowledged: false, suppressed: false, latched: false, ...row }
    const columns = [...Object.keys(all).map((name) => `"${name}"`), '"raisedAt"', '"startedAt"', '"lastSeenAt"']
    const values = [...Object.values(all).map((value) => `'${value}'`), 'now()', 'now()', 'now()']
    await rows(`insert into "telemetry_warning" (${columns}) values (${values})`)
    return row.id
  }
  const inAnHour = () => new Date(server.now.getTime() + hourMs).toISOString()
  const image = async (status: string): Promise<string> => {
    const id = uuidv7()
    await rows(`insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file")
      values ('${id}', '7.0.${++count}', '["B1"]', '${status}',
        jsonb_build_object('sha256', encode(sha256('7.0.${count}'::bytea), 'hex'), 'sizeBytes', 6))`)
    await rows(`insert into "firmwareFile" ("firmwareId", "content") values ('${id}', '7.0.${count}')`)
    return id
  }
  const rollout = async (verbs: readonly string[], isLed = false): Promise<Scene> => {
    const first = await unit()
    const boards = [first.board.id, (await unit()).board.id]
    const facts = { name: 'Spring', firmwareId: releasedId, controlPcbIds: boards, waves: [{ sharePct: 100 }] }
    const { id } = await done('POST', 'rollout', facts)
    for (const verb of verbs) await done('PUT', `rollout/${id}/${verb}`)
    if (isLed) await first.lead()
    return { id: String(id) }
  }
  /** A started rollout of settings, whose first boards have them by now. */
  const settingsRollout = async (): Promise<Scene> => {
    const { id } = await new TemplateRollouts(server, `SCENE-${++count}`).begun(2)
    await (await unit()).lead()
    return { id }
  }
  const requested = async (): Promise<string> => (await (await unit()).requested()).id
  const captured = async (): Promise<string> => {
    const { board } = await unit()
    await configured(board)
    await done('PUT', `control-pcb/${board.id}/capture-raw`, { minutes: '60' })
    return board.id
  }
  const configured = ({ id }: TestBoard) =>
    rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt") values ('${id}', 1, '{}', now())`)
  const quarantined = async (): Promise<string> => {
    const { board } = await site()
    await done('PUT', `control-pcb/${board.id}/quarantine`)
    return board.id
  }
  /** A webhook with a message of its own, which nothing sends here. */
  const webhook = async (state: string): Promise<{ id: string; deliveryId: string }> => {
    const facts = { name: `Desk ${++count}`, url: 'https://hooks.example.com/ess', events: ['record.created'] }
    const { id } = await done('POST', 'webhook', facts)
    await rows(
      `update "webhook" set "state" = '${state === 'WAITING' ? 'ACTIVE' : 'PAUSED'}', "secretAt" = now() where "id" = '${id}'`,
    )
    const deliveryId = uuidv7()
    await rows(`insert into "webhook_delivery" ("id", "webhookId", "event", "state", "body", "attempts", "createdAt", "updatedAt")
      values ('${deliveryId}', '${id}', 'record.created', '${state}', '{}', 1, now(), now())`)
    return { id: String(id), deliveryId }
  }
  const user = async (...verbs: readonly ['DELETE' | 'PUT', string][]): Promise<Scene> => {
    const id = await person('client')
    for (const [method, path] of verbs) await done(method, `user/${id}${path}`)
    return { id }
  }

  return {
    'user lock': () => user(),
    'user unlock': () => user(['DELETE', '/lock']),
    'user restore': () => user(['DELETE', '']),
    'user reset-factor': async () => {
      const id = await person('client')
      await rows(
        `insert into "totp" ("userId", "secret", "createdAt", "confirmedAt") values ('${id}', 'JBSWY3DPEHPK3PXP', now(), now())`,
      )
      return { id }
    },
    'invitation resend': async () => {
      const { id } = await done('POST', 'user', {
        email: `new-${++count}@scene.example`,
        role: 'client',
        firstName: 'Ann',
        lastName: 'Lee',
      })
      const [invitation] = await rows<{ id: string }>(`select "id" from "invitation" where "userId" = '${id}'`)
      server.pass(120)
      return { id: invitation?.id ?? '' }
    },
    'user invite': async () => {
      const { id } = await done('POST', 'user', {
        email: `new-${++count}@scene.example`,
        role: 'client',
        firstName: 'Ann',
        lastName: 'Lee',
      })
      await rows(`update "invitation" set "state" = 'REVOKED' where "userId" = '${id}'`)
      return { id: String(id) }
    },
    'ess set-owner': async () => {
      const { id } = await withPerson('guest', 'client')
      return { id, values: { clientId: await person('client') } }
    },
    'ess maintenance': async () => ({ id: (await site()).essId, values: { until: inAnHour() } }),
    'ess end-maintenance': async () => {
      const { essId: id } = await site()
      await done('PUT', `ess/${id}/maintenance`, { until: inAnHour(), reason: 'a fan' })
      return { id, values: { until: null } }
    },
    'ess edit-notes': async () => {
      const { id, values } = await withPerson('service-engineer', 'service_engineer', { scope: 'FULL' })
      const engineer = await server.userId('service_engineer')
      await rows(
        `update "service_engineer" set "userId" = '${engineer}', "state" = 'ACTIVE' where "userId" = '${values.userId}'`,
      )
      return { id, role: 'service_engineer' }
    },
    'ess attach-control-pcb': async () => {
      const board = await server.addBoard({ ess: false })
      return { id: (await site()).essId, values: { controlPcbId: board.id, role: 'MODULE' } }
    },
    'ess remove-control-pcb': () => site().then(({ essId: id, board }) => ({ id, values: { controlPcbId: board.id } })),
    'ess invite-guest': async () => ({ id: (await site()).essId, values: { userId: await person('client') } }),
    'ess remove-guest': () => withPerson('guest', 'client'),
    'ess invite-service-engineer': async () => ({
      id: (await site()).essId,
      values: { email: `engineer-${++count}@scene.example`, scope: 'READ' },
    }),
    'ess remove-service-engineer': () => withPerson('service-engineer', 'service_engineer', { scope: 'FULL' }),
    'control-pcb configure': async () => {
      const uid = `5C${++count}`.padEnd(12, '0')
      const code = `PCB-${uid}`
      const { id } = await done('POST', 'control-pcb', { code, uid, hardwareRevision: 'B1' })
      const { body } = await server.call<{ desired: Values }>('GET', `control-pcb/${id}/configuration`)
      const desired = { ...body.desired, reportIntervalS: 120 }
      return { id: String(id), values: { desired, baseVersion: 1, confirmCode: code } }
    },
    'control-pcb apply-template': async () => {
      const uid = `5D${++count}`.padEnd(12, '0')
      const { id } = await done('POST', 'control-pcb', { code: `PCB-${uid}`, uid, hardwareRevision: 'B1' })
      const facts = { code: `WINTER-${count}`, name: 'Winter', settings: { reportIntervalS: 120 } }
      const template = await done('POST', 'configuration-template', facts)
      return { id: String(id), values: { templateId: template.id, confirmCode: facts.code } }
    },
    'control-pcb request-update': async () => {
      const { board } = await unit()
      return { id: board.id, values: { controlPcbId: board.id, firmwareId: releasedId, overrideReason: null } }
    },
    'control-pcb quarantine': async () => ({ id: (await site()).board.id }),
    'control-pcb put-back': async () => ({ id: await quarantined() }),
    'control-pcb capture-raw': async () => {
      const { board } = await unit()
      await configured(board)
      return { id: board.id, values: { minutes: '60' } }
    },
    'control-pcb stop-capture': async () => ({ id: await captured() }),
    'control-pcb device-key': async () => ({ id: (await site()).board.id }),
    'control-pcb next-key': async () => ({ id: (await site()).board.id }),
    'telemetry-warning acknowledge': async () => ({ id: await warning() }),
    'telemetry-warning assign': async () => ({ id: await warning(), values: { userId: await person('moderator') } }),
    'telemetry-warning take': async () => ({ id: await warning() }),
    'telemetry-warning snooze': async () => ({ id: await warning() }),
    'telemetry-warning wake': async () => {
      const id = await warning()
      await done('PUT', `telemetry-warning/${id}/snooze`, { period: 'HOUR', reason: 'Parts are on their way' })
      return { id }
    },
    'telemetry-warning clear': async () => ({ id: await warning({ latched: true }) }),
    'telemetry-warning comment': async () => ({ id: await warning() }),
    'telemetry-warning open-case': async () => ({ id: await warning() }),
    'case-file edit-note': async () => {
      const { id } = await done('PUT', `telemetry-warning/${await warning()}/open-case`)
      return { id: String(id) }
    },
    'package reprocess': async () => {
      const { board } = await unit()
      const [row] = await rows<{ id: string }>(`select "id" from "package" where "controlPcbId" = '${board.id}'`)
      return { id: row?.id ?? '' }
    },
    'firmware set-status': async () => {
      const id = await image('RELEASED')
      await (await unit()).requested({ firmwareId: id })
      return { id, values: { status: 'REVOKED' } }
    },
    'firmware start-testing': async () => ({ id: await image('DRAFT'), values: { status: 'TESTING' }, role: 'moderator' }),
    'firmware-update cancel': async () => ({ id: await requested() }),
    'firmware-update retry': async () => {
      const id = await requested()
      await done('PUT', `firmware-update/${id}/cancel`)
      return { id }
    },
    'rollout start': () => rollout([]),
    'rollout pause': settingsRollout,
    'rollout resume': async () => {
      const { id } = await rollout(['start'])
      await done('PUT', `rollout/${id}/pause`)
      return { id }
    },
    'rollout stop': () => rollout(['start'], true),
    'webhook resume': () => webhook('HELD'),
    'webhook pause': () => webhook('WAITING'),
    'webhook test': () => webhook('FAILED'),
    'webhook new-secret': () => webhook('FAILED'),
    'webhook-delivery send-again': async () => ({ id: (await webhook('FAILED')).deliveryId }),
    'undelivered-message send-again': async () => {
      const id = uuidv7()
      await rows(
        `insert into "mailJob" ("id", "mail", "attempts") values ('${id}', '{"to":"ann@scene.example","language":"en","template":"warnings"}', 11)`,
      )
      await rows(`insert into "undelivered_message" ("id", "channel", "kind", "recipient", "state", "attempts", "givenUpAt", "createdAt", "updatedAt")
        values ('${id}', 'MAIL', 'warnings', 'ann@scene.example', 'FAILED', 11, now(), now(), now())`)
      return { id }
    },
  }
}
