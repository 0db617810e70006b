import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '#server/demo/random.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { TemplateRollouts } from '#tests/support/template-rollouts.ts'
import { UpdatingBoard } from '#tests/support/updating-board.ts'

type Seen = { status: string; wave: number; begun: number; failed: number }

const waves = [
  { boards: 2, maxFailures: 1, successPct: 1 },
  { boards: 3, maxFailures: 2, successPct: 1 },
  { sharePct: 100, maxFailures: 2, successPct: 1 },
]
const steps = 40

describe.each(oneEngine(import.meta.filename))('rollouts of settings in any order of events on $name', (engine) => {
  let server: BoardServer
  let fleet: TemplateRollouts
  const met = { paused: 0, wavesBegun: 0, rejected: 0, late: 0, replaced: 0 }
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    fleet = new TemplateRollouts(server)
  })
  afterAll(() => server.close())

  /** Failures as the boards tell them and the clock says, before the job has settled any. */
  async function seen(id: string): Promise<Seen> {
    const [row] = await server.rows<Seen>(`select "r"."status", "r"."wave"::int,
        (select count(*)::int from "rolloutConfiguration" "o" where "o"."rolloutId" = "r"."id") as "begun",
        (select count(*)::int from "rolloutConfiguration" "o" join "configuration" "v" on "v"."controlPcbId" = "o"."controlPcbId"
          and "v"."version" = "o"."version" where "o"."rolloutId" = "r"."id" and ("v"."outcome" = 'REJECTED' or "o"."failure" is not null
            or "o"."finishedAt" is null and "v"."outcome" is null and "o"."deadlineAt" <= '${server.now.toISOString()}' and not exists
              (select 1 from "configuration" "n" where "n"."controlPcbId" = "v"."controlPcbId" and "n"."version" > "v"."version"))) as "failed"
      from "rollout" "r" where "r"."id" = '${id}'`)
    if (!row) throw new Error('the rollout is gone')
    return row
  }

  type Story = { id: string; units: readonly UpdatingBoard[]; chance: Random; accepted: number }
  async function hear({ id, units, chance }: Story, act: (unit: UpdatingBoard) => Promise<unknown>): Promise<void> {
    const open = await fleet.underWay(id)
    if (open.length > 0) await act(fleet.unitOf(units, chance.pick(open)))
  }
  const apply = (story: Story) => hear(story, (unit) => fleet.answers(unit, 'APPLIED'))
  const reject = (story: Story) =>
    hear(story, (unit) => {
      met.rejected += 1
      return fleet.answers(unit, 'REJECTED', 'no')
    })
  const replace = (story: Story) =>
    hear(story, ({ board }) => {
      met.replaced += 1
      return fleet.wish(board.id, { socMinPct: 30 })
    })
  async function pass({ chance }: Story): Promise<void> {
    server.pass(chance.int(60, 1_200))
    await server.rows(`update "boardState" set "lastPacketAt" = now(), "lastValidPacketAt" = now()`)
  }
  async function resume(story: Story): Promise<void> {
    const { status } = await server.call('PUT', `rollout/${story.id}/resume`, { body: { note: 'seen' } })
    if (status !== 200) return
    const [settled] = await server.rows<{ failed: number }>(`select count(*)::int as "failed" from "rolloutConfiguration"
      where "rolloutId" = '${story.id}' and "state" = 'FAILED'`)
    story.accepted = settled?.failed ?? 0
  }
  const lead = () => fleet.lead()
  const often = [lead, lead, lead, lead, apply, apply, apply, apply, reject, replace, pass, pass, resume]
  const allowedIn = (wave: number) => waves[wave - 1]?.maxFailures ?? 0

  async function step(story: Story, count: number): Promise<Seen> {
    const before = await seen(story.id)
    const mayGoOn = before.failed - story.accepted < allowedIn(before.wave)
    const act = story.chance.pick(often)
    await act(story)
    const after = await seen(story.id)
    if (after.wave > before.wave || after.begun > before.begun) {
      const why = `step ${count}: boards began after ${before.failed - story.accepted} failures`
      expect(mayGoOn && before.status === 'RUNNING', why).toBe(true)
    }
    if (act === lead && after.status === 'RUNNING')
      expect(after.failed - story.accepted, `step ${count}`).toBeLessThan(allowedIn(after.wave))
    if (after.wave > before.wave) met.wavesBegun += 1
    if (before.status === 'RUNNING' && after.status === 'PAUSED') met.paused += 1
    return after
  }

  it.each([1, 2, 3, 4, 5, 6])('begin no wave and no board after as many failures as they allow (%i)', async (seed) => {
    const { id, units } = await fleet.begun(8, waves)
    const story: Story = { id, units, chance: new Random(seed), accepted: 0 }
    for (let count = 0; count < steps; count++) if ((await step(story, count)).status === 'FINISHED') break
    const late = await server.rows(`select 1 from "rolloutConfiguration" where "rolloutId" = '${id}' and "failure" = 'TIMEOUT'`)
    met.late += late.length
  })

  it('were looked at in all their ways', () => {
    expect(
      Object.values(met).every((count) => count > 0),
      JSON.stringify(met),
    ).toBe(true)
  })
})
