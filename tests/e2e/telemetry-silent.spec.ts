import { expect, test } from './support/console.ts'

const dayMs = 86_400_000

test('a system that has fallen silent leads from an empty time to the end of its data', async ({ as, api }) => {
  const [silent] = await (await api('admin')).get<{ id: string; lastSignalAt: string }[]>(
    'ess?connection=OFFLINE&lastSignalAt_null=false&_end=1',
  )
  const page = await as('admin', `/ess/${silent?.id}/telemetry?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
  await page.getByRole('button', { name: /Go to the last data/ }).click()
  const shown = (end: string) => Date.parse(new URL(page.url()).searchParams.get(end) ?? '')
  const lastMs = Date.parse(silent?.lastSignalAt ?? '')
  await expect.poll(() => shown('from') > lastMs - dayMs && shown('from') < lastMs && shown('to') > lastMs).toBe(true)
})
