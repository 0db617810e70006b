import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { test as base, expect } from './support/console.ts'
import { dialog, notice, text } from './support/form.ts'
import { newEss } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

type Lost = { status: number | undefined; keys: (string | undefined)[] }

/** The first POST of the browser reaches the server, which does and answers it; the connection breaks before the answer. */
async function loseAnswer(page: Page, path: string): Promise<Lost> {
  const lost: Lost = { status: undefined, keys: [] }
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request, responseStatusCode }) => {
    const isPost = request.method === 'POST'
    if (isPost) lost.keys.push(request.headers['Idempotency-Key'])
    if (!isPost || lost.keys.length > 1) return void session.send('Fetch.continueResponse', { requestId })
    lost.status = responseStatusCode
    void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `*/api/${path}`, requestStage: 'Response' }] })
  return lost
}

/** The first POST goes by way of a proxy whose line breaks in the middle of the answer. */
async function cutAnswer(page: Page, path: string): Promise<Lost & { end: () => void }> {
  const lost: Lost = { status: undefined, keys: [] }
  let target = ''
  const proxy = createServer(async (request, answer) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key } = request.headers
    const headers = { authorization, 'content-type': type, 'idempotency-key': String(key) }
    const done = await fetch(target, { method: 'POST', headers, body: Buffer.concat(parts) })
    lost.status = done.status
    const body = Buffer.from(await done.arrayBuffer())
    answer.writeHead(done.status, { 'content-type': 'application/json', 'content-length': body.length })
    answer.write(body.subarray(0, body.length / 2), () => answer.destroy())
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  await page.route(`**/api/${path}`, async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    lost.keys.push((await request.allHeaders())['idempotency-key'])
    if (lost.keys.length > 1) return route.continue()
    target = request.url()
    const { pathname } = new URL(target)
    return route.continue({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}` })
  })
  return Object.assign(lost, { end: () => void proxy.close() })
}

const test = base.extend<{ isAllowed: undefined }>({
  isAllowed: [
    async ({ complaints }, use) => {
      complaints.allow(/Failed to load resource: net::ERR_(CONNECTION_RESET|CONTENT_LENGTH_MISMATCH)/)
      await use(undefined)
    },
    { auto: true },
  ],
})

const noAnswer = (page: Page) => notice(page, 'There is no connection to the server')

/** Calls of one deed carry one key. */
function expectOnce({ status, keys }: Lost, done: number): void {
  expect(status).toBe(done)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
}

/** Fills in the form of a new installer; the button creates it. */
async function fillUser(page: Page, email: string, lastName: string): Promise<Locator> {
  await text(page, 'E-mail').fill(email)
  await text(page, 'First name').fill('Petra')
  await text(page, 'Last name').fill(lastName)
  await page.getByRole('combobox', { name: 'Role' }).press('ArrowDown')
  await page.getByRole('option', { name: 'Installer' }).click()
  return page.getByRole('button', { name: 'Create', exact: true })
}

test('a record that is saved again after a lost answer is there once, and nothing is typed twice', async ({
  as,
  api,
  page: own,
}) => {
  const lost = await loseAnswer(own, 'user')
  const page = await as('admin', '/user/create')
  const email = `lost-answer-${Date.now()}@test.example`
  const create = await fillUser(page, email, 'Lost')
  await create.click()
  await expect(noAnswer(page)).toBeVisible()
  for (const [label, value] of [
    ['E-mail', email],
    ['First name', 'Petra'],
    ['Last name', 'Lost'],
  ] as const)
    await expect(text(page, label)).toHaveValue(value)
  await create.click()
  await expect(page.getByRole('heading', { name: email, level: 1 })).toBeVisible()
  expectOnce(lost, 201)
  const admin = await api('admin')
  expect(await admin.total(`user?email=${email}`)).toBe(1)
  expect(await admin.total(`invitation?email=${email}`)).toBe(1)
})

test('a record that is saved again after half an answer is there once, and is shown', async ({ as, api, page: own }) => {
  const lost = await cutAnswer(own, 'user')
  const page = await as('admin', '/user/create')
  const email = `half-answer-${Date.now()}@test.example`
  const create = await fillUser(page, email, 'Half')
  await create.click()
  await expect(noAnswer(page)).toBeVisible()
  await create.click()
  await expect(page.getByRole('heading', { name: email, level: 1 })).toBeVisible()
  lost.end()
  expectOnce(lost, 201)
  expect(await (await api('admin')).total(`user?email=${email}`)).toBe(1)
})

test('a guest who is invited again after a lost answer is invited once, and the dialog keeps what was typed', async ({
  as,
  api,
  page: own,
}) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const lost = await loseAnswer(own, `ess/${ess.id}/invite-guest`)
  const page = await as('admin', `/ess/${ess.id}/guest`)
  await page.getByRole('button', { name: 'Invite guest' }).click()
  const email = 'lost-guest@test.example'
  await text(dialog(page), 'or e-mail').fill(email)
  const invite = dialog(page).getByRole('button', { name: 'Invite guest' })
  await invite.click()
  await expect(noAnswer(page)).toBeVisible()
  await expect(text(dialog(page), 'or e-mail')).toHaveValue(email)
  await invite.click()
  await expect(notice(page, 'The guest is invited')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  expectOnce(lost, 201)
  expect(await admin.total(`ess/${ess.id}/guest`)).toBe(1)
})

test('a comment that is added again after a lost answer is there once', async ({ as, api, server, page: own }) => {
  const admin = await api('admin')
  const board = await TalkingBoard.attach(admin, server.url)
  await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  const { id } = await admin.first(`telemetry-warning?controlPcbId=${board.id}&code=INSULATION_FAULT`)
  const lost = await loseAnswer(own, `telemetry-warning/${id}/comment`)
  const page = await as('moderator', `/telemetry-warning/${id}`)
  const comments = page.locator('.ui-card').filter({ has: page.getByRole('heading', { name: 'Comments', exact: true }) })
  await text(comments, 'Add a comment').fill('Said once')
  const add = comments.getByRole('button', { name: 'Add comment' })
  await add.click()
  await expect(noAnswer(page)).toBeVisible()
  await expect(text(comments, 'Add a comment')).toHaveValue('Said once')
  await add.click()
  await expect(text(comments, 'Add a comment')).toHaveValue('')
  await expect(comments.getByRole('listitem')).toHaveCount(1)
  expectOnce(lost, 201)
})

test('a file that is uploaded again after a lost answer is stored once', async ({ as, api, page: own }) => {
  const firmwareVersion = `7.9.${test.info().retry + 1}`
  const buffer = buildImage({
    firmwareVersion,
    hardwareRevisions: ['A1', 'B1'],
    payload: Buffer.alloc(70_000, firmwareVersion),
  })
  const lost = await loseAnswer(own, 'firmware')
  const page = await as('admin', '/firmware/create')
  await page.locator('input[type=file]').setInputFiles({ name: 'lost.bin', mimeType: 'application/octet-stream', buffer })
  const create = page.getByRole('button', { name: 'Create', exact: true })
  await create.click()
  await expect(noAnswer(page)).toBeVisible()
  await expect(page.getByText('lost.bin')).toBeVisible()
  await create.click()
  await expect(page.getByRole('heading', { name: firmwareVersion, level: 1 })).toBeVisible()
  expectOnce(lost, 201)
  expect(await (await api('admin')).total(`firmware?firmwareVersion=${firmwareVersion}`)).toBe(1)
})
