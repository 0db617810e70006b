import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '#server/demo/random.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Seen = { status: string; wave: number; asked: number }
type Row = { id: string; controlPcbId: string; status: string; isOpen: boolean; isRetried: boolean }

const waves = [
  { boards: 2, maxFailures: 1, soakMin: 0, successPct: 1 },
  { boards: 3, maxFailures: 2, soakMin: 0, successPct: 1 },
  { sharePct: 100, maxFailures: 2, soakMin: 0, successPct: 1 },
]
const bad = new Set(['FAILED', 'ROLLED_BACK', 'EXPIRED'])
const steps = 60

describe.each(oneEngine(import.meta.filename))('rollouts in any order of events on $name', (engine) => {
  let server: BoardServer
  const met = { paused: 0, wavesBegun: 0, retriedByHand: 0 }
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())

  /** The updates of a rollout; what is tried again by itself is read from the attempt that followed. */
  const updatesOf = (id: string) =>
    server.rows<Row>(`select "u"."id", "u"."controlPcbId", "u"."status", "u"."finishedAt" is null as "isOpen", exists (select 1
        from "firmware_update" "r" where "r"."retryOfId" = "u"."id" and "r"."events"->0->>'source' = 'SERVER') as "isRetried"
      from "firmware_update" "u" where "u"."rolloutId" = '${id}' order by "u"."id"`)
  async function seen(id: string): Promise<Seen> {
    const [row] = await server.rows<Seen>(`select "status", "wave"::int, (select count(*)::int from "rolloutTarget"
      where "rolloutId" = "rollout"."id" and "state" = 'REQUESTED') as "asked" from "rollout" where "id" = '${id}'`)
    if (!row) throw new Error('the rollout is gone')
    return row
  }
  const failedBoards = async (id: string) =>
    new Set((await updatesOf(id)).flatMap((row) => (bad.has(row.status) && !row.isRetried ? row.controlPcbId : [])))

  /** Something that happens to a board at its update. */
  async function happen(unit: UpdatingBoard, { id }: Row, chance: Random): Promise<void> {
    const events = [
      () => unit.progress(id, chance.pick(['DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING'])),
      () => unit.progress(id, 'FAILED', { failure: chance.pick(['CHECKSUM', 'FLASH']) }),
      () => unit.says('BOOT', { firmwareVersion: oldVersion, resetReason: 'FW_UPDATE' }),
      () => unit.install(id),
      async () => {
        for (let packets = 0; packets < 3; packets++) await unit.report(nextVersion)
      },
    ]
    await chance.pick(events)()
  }

  type Story = { id: string; units: readonly UpdatingBoard[]; chance: Random; accepted: number }
  const failuresOf = async ({ id, accepted }: Story) => (await failedBoards(id)).size - accepted
  const allowedIn = (wave: number) => waves[wave - 1]?.maxFailures ?? 0

  async function resume(story: Story): Promise<void> {
    const { status } = await server.call('PUT', `rollout/${story.id}/resume`, { body: { note: 'seen' } })
    if (status === 200) story.accepted = (await failedBoards(story.id)).size
  }
  async function retry({ id, chance }: Story): Promise<void> {
    const over = (await updatesOf(id)).filter(({ status }) => bad.has(status))
    if (over.length === 0) return
    const { status } = await server.call('POST', `firmware-update/${chance.pick(over).id}/retry`)
    if (status === 201) met.retriedByHand += 1
  }
  async function hearBoard({ id, units, chance }: Story): Promise<void> {
    const open = (await updatesOf(id)).filter(({ isOpen }) => isOpen)
    if (open.length === 0) return
    const update = chance.pick(open)
    const unit = units.find(({ board }) => board.id === update.controlPcbId)
    if (unit) await happen(unit, update, chance)
  }
  const passTime = async ({ units, chance }: Story) => {
    server.pass(chance.int(60, 2_400))
    await units[0]?.advance()
  }
  const leadOn = async ({ units }: Story) => units[0]?.lead()
  const often = [leadOn, leadOn, leadOn, passTime, passTime, retry, resume, hearBoard, hearBoard, hearBoard, hearBoard]

  async function step(story: Story, count: number): Promise<Seen> {
    const before = await seen(story.id)
    const failures = await failuresOf(story)
    const mayGoOn = failures < allowedIn(before.wave)
    await story.chance.pick(often)(story)
    const after = await seen(story.id)
    const isAsking = after.wave > before.wave || after.asked > before.asked
    if (isAsking) expect(mayGoOn, `step ${count}: boards were asked after ${failures} failures`).toBe(true)
    if (after.status === 'RUNNING') expect(await failuresOf(story), `step ${count}`).toBeLessThan(allowedIn(after.wave))
    if (after.wave > before.wave) met.wavesBegun += 1
    if (before.status === 'RUNNING' && after.status === 'PAUSED') met.paused += 1
    return after
  }

  it.each([1, 2, 3, 4, 5, 6])('begin no wave and ask no board after as many failures as they allow (%i)', async (seed) => {
    const units = await Promise.all(Array.from({ length: 8 }, () => UpdatingBoard.add(server)))
    const body = { name: `R${seed}`, firmwareId: releasedId, controlPcbIds: units.map(({ board }) => board.id), waves }
    const { body: made } = await server.call<{ id: string }>('POST', 'rollout', { body })
    await server.call('PUT', `rollout/${made.id}/start`)
    const story: Story = { id: made.id, units, chance: new Random(seed), accepted: 0 }
    for (let count = 0; count < steps; count++) if ((await step(story, count)).status === 'FINISHED') return
  })

  it('were looked at in all their ways', () => {
    expect(
      Object.values(met).every((count) => count > 0),
      JSON.stringify(met),
    ).toBe(true)
  })
})
