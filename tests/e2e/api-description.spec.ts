import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolScript } from '#tests/support/tools.ts'
import { ApiUser, accounts } from './support/api-user.ts'
import { type CheckedApi, checkApi, type Description } from './support/checked-api.ts'
import { test as base, expect } from './support/console.ts'
import { fact, text } from './support/form.ts'
import { startFleet } from './support/live-server.ts'
import { newBoard, newEss, newUser } from './support/records.ts'

type Checked = CheckedApi & { dataDir: string; serverUrl: string }
const test = base.extend<object, { checked: Checked }>({
  checked: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const server = await startFleet({ isLong: true })
      const checked = await checkApi(server.url)
      await use({ ...checked, dataDir: server.dataDir, serverUrl: server.url })
      await checked.stop()
      await server.stop()
    },
    { scope: 'worker', timeout: 360_000 },
  ],
  server: [async ({ checked }, use) => use(checked), { scope: 'worker' }],
})

test('a linter of such descriptions finds nothing', async ({ api }) => {
  test.setTimeout(120_000)
  const dir = await mkdtemp(join(tmpdir(), 'ess-lint-'))
  const [description, rules, report] = ['openapi.json', 'rules.json', 'report.json'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(description, JSON.stringify(await (await api('admin')).get('openapi.json')))
  // The program does not know its own contact address.
  await writeFile(
    rules,
    JSON.stringify({ extends: [['spectral:oas', 'all']], rules: { 'info-contact': 'off', 'license-url': 'off' } }),
  )
  const args = [await toolScript('spectral'), 'lint', description, '--ruleset', rules, '--format', 'json', '--output', report]
  spawnSync(process.execPath, args, { stdio: 'ignore' })
  const found: { code: string; message: string; path: string[] }[] = JSON.parse(await readFile(report, 'utf8'))
  expect(found.map(({ code, message, path }) => `${code}: ${message}: ${path.join('.')}`)).toEqual([])
  await rm(dir, { recursive: true })
})

test('every call says what it answers', async ({ api }) => {
  const { paths } = await (await api('admin')).get<Description>('openapi.json')
  const vague = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).some(({ schema }) => Object.keys(schema).length === 0) ? [`${method} ${path}: ${status}`] : [],
      ),
    ),
  )
  expect(vague).toEqual([])
})

test('the console and the server keep to the description on a walk through lists, records, forms and actions', async ({
  as,
  api,
  checked,
}) => {
  test.setTimeout(180_000)
  const admin = await api('admin')
  const ess = await newEss(admin)
  const page = await as('admin', '/')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  // A name may carry a count that comes later: an address does not change.
  const sections = await menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(sections).toContain('/telemetry-warning')
  for (const section of sections) {
    await menu.locator(`a[href="${section}"]`).click()
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  for (const path of [
    'ess',
    'control-pcb',
    'firmware',
    'user',
    'user/client',
    'package',
    'firmware-update',
    'telemetry-warning',
  ]) {
    const [row] = await admin.get<{ id: string }[]>(`${path}?_end=1`)
    if (!row) continue
    await page.goto(`/${path.split('/').at(-1)}/${row.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto(`/ess/${ess.id}/edit`)
  await text(page, 'Name').fill('Held against the description')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Name')).toHaveText('Held against the description')

  const [client] = await admin.get<{ id: string }[]>('user/client?status=ACTIVE&_end=1')
  const board = await newBoard(admin)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await admin.send('PUT', `ess/${ess.id}/maintenance`, { until, reason: 'A new fan' })
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: client?.id })
  const [guest] = await admin.get<{ id: string }[]>(`ess/${ess.id}/clients-to-invite?_end=1`)
  await admin.send('POST', `ess/${ess.id}/invite-guest`, { userId: guest?.id })
  await admin.send('DELETE', `ess/${ess.id}/remove-guest`, { userId: guest?.id })
  await admin.send('POST', `ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
  await admin.send('DELETE', `ess/${ess.id}/remove-control-pcb`, { controlPcbId: board.id })
  const person = await newUser(admin)
  await admin.send('DELETE', `user/${person.id}/lock`)
  await admin.send('PUT', `user/${person.id}/unlock`)
  await admin.send('DELETE', `user/${person.id}`)
  for (const refused of ['ess/none', 'ess?colour=red', 'ess?_start=x'])
    expect((await admin.call('GET', refused)).status, refused).toBeGreaterThanOrEqual(400)
  expect(checked.violations).toEqual([])
})

test('the checker finds an answer that its description does not allow', async ({ checked }) => {
  const words = { description: 'A text', content: { 'application/json': { schema: { type: 'string' } } } }
  const doubtful = await checkApi(checked.serverUrl, ({ paths, ...rest }) => ({
    ...rest,
    paths: { ...paths, '/ess': { get: { ...paths['/ess']?.get, responses: { 200: words } } } },
  }))
  await (await ApiUser.signIn(doubtful.url, accounts.admin)).get('ess?_end=1')
  await doubtful.stop()
  expect(doubtful.violations.join()).toContain('must be string')
})
