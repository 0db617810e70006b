import { expect, test } from './support/console.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('on a phone a value stands beside its label on every tab of a board, short ones in columns', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('control-pcb?_sort=code&_end=1')
  const page = await as('admin', `/control-pcb/${id}`)
  const places = async (label: string) => {
    const term = page
      .getByRole('main')
      .locator('dt', { hasText: new RegExp(`^${label}$`) })
      .first()
    await expect(term.locator('xpath=following-sibling::dd')).toBeVisible()
    // Both at once: what comes later above them moves them together.
    return term.evaluate((left) => {
      const place = (element: Element | null) => element?.getBoundingClientRect().toJSON() as { x: number; y: number }
      return { left: place(left), right: place(left.nextElementSibling) }
    })
  }
  for (const [tab, label] of [
    ['', 'Last valid packet'],
    ['', 'Serial number'],
    ['/configuration', 'Reported version'],
    ['/connect', 'Uid in every frame'],
  ]) {
    await page.goto(`/control-pcb/${id}${tab}`)
    const { left, right } = await places(label ?? '')
    expect(right.x, label).toBeGreaterThan(left.x + 40)
    expect(Math.abs(right.y - left.y), label).toBeLessThan(8)
  }
  await page.goto(`/control-pcb/${id}`)
  const [first, second] = [await places('Bootloader'), await places('Reported')]
  expect(second.left.x).toBeGreaterThan(first.left.x + 40)
  expect(first.right.y).toBeGreaterThan(first.left.y)
})

test('on a phone the card of an update shows which board gets it, in Russian, too', async ({ as, api, page: own }) => {
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const admin = await api('admin')
  const board = await admin.first(
    'control-pcb?lifecycle=ACTIVE&hardwareRevision=B1&firmware.currentVersion=2.1.3&_sort=code&_end=1',
  )
  const [firmware] = await admin.get<{ id: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const update = await admin.send('POST', 'firmware-update', { controlPcbId: board.id, firmwareId: firmware?.id })
  await own.setViewportSize({ width: 360, height: 800 })
  const page = await as('admin', `/firmware-update?id=${update.id}`)
  const code = page.getByRole('row').getByText(String(board.code))
  await expect(code).toBeAttached()
  const isOnTop = code.evaluate((part) => {
    const { left, top, width, height } = part.getBoundingClientRect()
    return part.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
  expect(await isOnTop, 'no other line hides it').toBe(true)
})
