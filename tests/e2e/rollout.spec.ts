import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog, fact, notice, number, search, text } from './support/form.ts'
import { newBoard } from './support/records.ts'

test('a rollout is made with its waves, started, and held; every step is seen at once', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  // A board that can be asked: it stays in the queue, and the rollout goes on for as long as it is looked at.
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const page = await as('admin', '/rollout/create')
  await text(page, 'Name').fill('Spring')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  await search(page, 'Only boards of this list', String(board.code))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add' }).click()
  await number(page, 'or up to').fill('50')
  await page.getByRole('button', { name: 'Create' }).click()
  const fault = page.getByRole('group', { name: 'Waves' }).getByRole('alert')
  await expect(fault).toHaveText('The last wave must take all boards: 100 %')
  await number(page, 'or up to').fill('100')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'State')).toHaveText('Draft')
  await expect(page.getByText('1 of 1 included')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Course' })).toBeHidden()
  await expect(fact(page, 'Regions')).toHaveText('Any')

  await page.getByRole('button', { name: 'Start' }).click()
  await expect(dialog(page).getByText('1 of 1 included')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Start' }).click()
  await expect(notice(page, 'The rollout has started')).toBeVisible()
  await expect(fact(page, 'State')).toHaveText('Running')
  await expect(page.getByRole('heading', { name: 'Course' })).toBeVisible()
  // Notices stay for as long as they are pointed at, and these stand before the buttons.
  await page.mouse.move(0, 0)
  await expect(page.locator('.ant-notification-notice')).toHaveCount(0)
  const id = calls.find((call) => /^PUT \/api\/rollout\/.*\/start$/.test(call))?.split('/')[3]
  await admin.send('PUT', `rollout/${id}/pause`, { note: 'storm' })
  await expect(fact(page, 'State')).toHaveText('Paused')
  await expect(fact(page, 'Reason')).toHaveText('storm')
  await page.getByRole('button', { name: 'Resume' }).click()
  await text(dialog(page), 'Why it may go on').fill('It has passed')
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await expect(fact(page, 'State')).toHaveText('Running')
  await page.getByRole('link', { name: 'Updates', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toBeVisible()
})

test('a moderator may hold a rollout, and nothing else', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const [firmware] = await admin.get<{ id: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const made = await admin.send<{ id: string }>('POST', 'rollout', {
    name: 'Autumn',
    firmwareId: firmware?.id,
    controlPcbIds: [board.id],
  })
  await admin.send('PUT', `rollout/${made.id}/start`)
  const page = await as('moderator', `/rollout/${made.id}`)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  for (const name of ['Stop', 'Resume', 'Edit', 'Start'])
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(dialog(page)).toContainText('No more boards start until an admin resumes it.')
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused: no more boards start. An admin resumes or stops it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeHidden()
  await page.goto('/rollout')
  await expect(page.getByRole('row', { name: /Autumn/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toBeHidden()
})

test('an update is asked for from the page of a board, with what fits it', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const offered = await admin.get<{ firmwareVersion: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const version = String(offered[0]?.firmwareVersion)
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await page.getByRole('button', { name: 'Request update' }).click()
  await search(page, 'Firmware', version)
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(notice(page, 'The update is requested')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`Queued.*${version}`) })).toBeVisible()
})

test('a rollout by condition says how many boards it takes in, why not the others, and how its waves divide them', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>('firmware/for-request-update')
  const page = await as('admin', '/rollout/create')
  await expect(page.getByText('Fill in first: Firmware')).toBeVisible()
  await text(page, 'Name').fill('By condition')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  const count = page.getByText(/^[\d,]+ of [\d,]+ included$/)
  await expect(count).toBeVisible()
  await expect(page.getByText('The conditions are evaluated once more when the rollout starts.')).toBeVisible()
  const reasons = page.getByRole('table', { name: 'Left out' })
  await expect(reasons.getByRole('row').first()).toContainText(/PCB-/)
  await expect(page.getByRole('figure', { name: 'Waves' })).toContainText('Wave 1 1')
  const all = Number((await count.textContent())?.split(' of ')[1]?.replace(/\D/g, ''))
  await text(page, 'Present version up to').fill('0.0.1')
  await expect(page.getByText('Nothing meets the conditions')).toBeVisible()
  await text(page, 'Present version up to').fill('0.0')
  await expect(page.getByText('Counted again once the values above are right.')).toBeVisible()
  await text(page, 'Present version up to').fill('')
  await page.getByRole('switch', { name: 'Only boards that are online' }).click()
  await expect(count).toBeVisible()
  await expect.poll(async () => Number((await count.textContent())?.split(' of ')[1]?.replace(/\D/g, ''))).toBeLessThan(all)
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'Only boards that are online')).toHaveText('Yes')
  await expect(fact(page, 'State')).toHaveText('Draft')
})

test('what was typed stays when the boards can not be counted, and can be saved', async ({ as, api, complaints }) => {
  complaints.allow(/status of 503/)
  const admin = await api('admin')
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>('firmware/for-request-update')
  const page = await as('admin', '/rollout/create')
  const asked: string[] = []
  await page.route('**/api/rollout/outlook', (route) => {
    asked.push(String(route.request().postData()))
    return route.fulfill({ status: 503, json: { message: 'busy' } })
  })
  await text(page, 'Name').fill('Uncounted')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  await expect(page.getByText(/Could not be counted/)).toBeVisible()
  await text(page, 'Present version from').fill('1.0.0')
  // Counted again by itself after a change: that has failed as well.
  await expect.poll(() => asked.at(-1)).toContain('1.0.0')
  await expect(page.getByText(/Could not be counted/)).toBeVisible()
  await page.unroute('**/api/rollout/outlook')
  await page.getByRole('button', { name: 'Count again' }).click()
  await expect(page.getByText(/included$|Nothing meets/)).toBeVisible()
  await expect(text(page, 'Present version from')).toHaveValue('1.0.0')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'Present version from')).toHaveText('1.0.0')
})

test('a large rollout is started by its version, and followed by wave and board', async ({ as, api }) => {
  const admin = await api('admin')
  const boards = []
  for (let made = 0; made < 52; made += 1) boards.push(await newBoard(admin))
  // Fifty-one of them can be asked.
  for (const { id, version } of boards.slice(1)) await admin.send('PUT', `control-pcb/${id}`, { version, lifecycle: 'ACTIVE' })
  const first = String(boards[1]?.id)
  const [firmware] = await admin.get<{ id: string; firmwareVersion: string }[]>(
    `firmware/for-request-update?controlPcbId=${first}`,
  )
  const { id } = await admin.send<{ id: string }>('POST', 'rollout', {
    name: 'Large',
    firmwareId: firmware?.id,
    controlPcbIds: boards.map((board) => board.id),
    waves: [{ boards: 1 }, { boards: 10 }, { sharePct: 100 }],
  })
  const page = await as('admin', `/rollout/${id}`)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(dialog(page).getByText('51 of 52 included')).toBeVisible()
  await expect(dialog(page).getByRole('row', { name: /Not in service/ })).toContainText(String(boards[0]?.code))
  await expect(dialog(page).getByRole('figure', { name: 'Waves' })).toContainText('Wave 1 1Wave 2 10Wave 3 40')
  const start = dialog(page).getByRole('button', { name: 'Start' })
  await expect(start).toBeDisabled()
  await dialog(page).getByRole('textbox').fill(String(firmware?.firmwareVersion))
  await start.click()
  await expect(notice(page, 'The rollout has started')).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Wave 3' })).toContainText('Waiting 40')
  await expect(page.getByRole('figure', { name: 'Wave 1' })).toContainText('Left out 1')
  await expect(page.getByRole('figure', { name: 'Wave 1' })).toContainText('Under way 1')
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Boards', exact: true }).click()
  await expect(page.getByRole('row', { name: /Left out.*Not in service/ })).toHaveCount(1)
  await expect(page.getByRole('row', { name: /Under way/ })).toHaveCount(1)
  await admin.send('PUT', `rollout/${id}/stop`)
})

for (const [language, taken] of [
  ['en', /^[\d,]+ of [\d,]+ included$/],
  ['ru', /^Войдёт \d/],
] as const)
  test(`the form of a rollout fits a phone, and can be read in the dark: ${language}`, async ({ as, api }) => {
    const admin = await api('admin')
    const [firmware] = await admin.get<{ firmwareVersion: string }[]>('firmware/for-request-update')
    const page = await as('admin', '/rollout/create')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    await page.goto('/rollout/create')
    await search(page, language === 'en' ? 'Firmware' : 'Прошивка', String(firmware?.firmwareVersion))
    await expect(page.getByText(taken)).toBeVisible()
    const width = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
    expect(width).toBeLessThanOrEqual(390)
    expect(await seriousFaults(page)).toEqual([])
  })

test('the regions of a rollout are picked from those of the systems', async ({ as, api }) => {
  const admin = await api('admin')
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>('firmware/for-request-update')
  const [most] = await admin.get<{ value: string; count: number }[]>('ess/values/location.region')
  const page = await as('admin', '/rollout/create')
  await text(page, 'Name').fill('By region')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  await page.getByRole('combobox', { name: 'Regions' }).click()
  const offered = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
  await expect(offered.first()).toHaveText(`${most?.value}${most?.count}`)
  await offered.first().click()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^[\d,]+ of [\d,]+ included$/)).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'Regions')).toHaveText(String(most?.value))
})
