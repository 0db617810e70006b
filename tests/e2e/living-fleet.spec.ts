import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from './support/console.ts'
import { fact } from './support/form.ts'
import { startServer } from './support/live-server.ts'

/** The demo fleet as a newcomer meets it: an empty folder, and boards that report. */
const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'ess-living-'))
      const server = await startServer({ dataDir, env: { DEMO_LIVE: '1', DEMO_SIZE: '60' }, isLong: true })
      await use(server)
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
test.describe.configure({ mode: 'serial' })

/** The fleet has a past of months, too: what began within the hour goes on before the eyes. */
const begun = new Date(Date.now() - 3_600_000).toISOString()

/** The boards of a fleet take minutes. */
const minutes = (count: number) => ({ timeout: count * 60_000 })

test('values move and warnings come, with nobody touching the page', async ({ as, api, page: own }) => {
  test.setTimeout(240_000)
  const page = await as('admin', '/telemetry-warning')
  const total = async () => (await api('admin')).total('telemetry-warning')
  const before = await total()
  await expect.poll(total, minutes(2)).toBeGreaterThan(before)
  const shown = page.getByText(/^\d+–\d+ of [\d,]+$/)
  const shownTotal = async () => (await shown.textContent())?.replace(/^.* of /, '').replaceAll(',', '')
  await expect(async () => expect(await shownTotal()).toBe(String(await total()))).toPass(minutes(1))

  const [board] = await (await api('admin')).get<{ id: string }[]>(
    'control-pcb?connection.state=ONLINE&role=MAIN&_end=1&_sort=code',
  )
  await own.goto(`/control-pcb/${board?.id}`)
  const packet = fact(own, 'Last valid packet')
  const first = await packet.locator('time').getAttribute('datetime')
  await expect(packet.locator('time')).not.toHaveAttribute('datetime', String(first), minutes(2))
})

test('updates go their way before the eyes: one succeeds, one comes back with the old version, one fails and is tried again', async ({
  as,
}) => {
  test.setTimeout(420_000)
  const page = await as('admin', `/firmware-update?createdAt_gte=${begun}&columns=createdAt,controlPcbId,status,attempt`)
  const row = (status: string) => page.getByRole('row').filter({ hasText: status })
  for (const status of ['Succeeded', 'Rolled back', 'Failed']) await expect(row(status).first()).toBeVisible(minutes(6))
  await expect(page.getByRole('cell', { name: '2', exact: true })).toBeVisible(minutes(2))
})
