import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { testChanged } from './support/changed-project.ts'
import { expect } from './support/console.ts'
import { notice } from './support/form.ts'
import { refinePage } from './support/refine-page.ts'

const test = testChanged(async (project) => {
  await writeFile(join(project.dir, 'src/pages/plain-page.tsx'), refinePage)
  const path = join(project.dir, 'src/routes.tsx')
  const routes = await readFile(path, 'utf8')
  const own = `{['/plain', '/plain/:id'].map((path) => <Route key={path} path={path} element={<PlainPage />} />)}`
  const added = routes.replace('<Route path="*"', `${own}\n            <Route path="*"`)
  const page = `const PlainPage = lazyCode(() => import('./pages/plain-page.tsx').then((module) => ({ default: module.PlainPage })))`
  await writeFile(path, `${added}\n${page}\n`)
})

const codes = (page: Page) => page.locator('tbody tr.ant-table-row td:first-child').allTextContents()
const listCalls = (calls: readonly string[]) => calls.filter((call) => call.startsWith('GET /api/ess?'))

test('a page of Refine and antd lists, sorts and pages by the providers', async ({ as, calls }) => {
  const page = await as('admin', '/plain')
  await expect.poll(() => codes(page)).toHaveLength(10)
  expect((await codes(page))[0]).toBe('ESS-000001')
  await expect(page.getByRole('listitem', { name: '20', exact: true })).toBeVisible()
  await page.getByRole('listitem', { name: '2', exact: true }).click()
  await expect.poll(async () => (await codes(page))[0]).toBe('ESS-000011')
  await page.getByRole('columnheader', { name: 'Code' }).click()
  await expect.poll(async () => (await codes(page))[0]).toBe('ESS-000190')
  expect(listCalls(calls).at(-1)).toContain('_sort=code&_order=desc')
})

test('it opens a record, keeps what is typed, saves with the version, and says so', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { id, version } = await admin.first('ess?code=ESS-000012')
  const page = await as('admin', `/plain/${id}`)
  await expect(page.getByRole('heading', { name: /^ESS-000012 / })).toBeVisible()
  await page.getByRole('textbox', { name: 'Name of the system' }).fill('Plain and simple')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notice(page, /updated|saved/i)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'ESS-000012 Plain and simple' })).toBeVisible()
  expect(calls.filter((call) => call.startsWith('PUT '))).toEqual([`PUT /api/ess/${id}`])
  expect(await admin.get(`ess/${id}`)).toMatchObject({ name: 'Plain and simple', version: version + 1 })
  await page.goto('/plain')
  await expect(page.locator('tbody')).not.toContainText('Plain and simple')
  await page.getByRole('listitem', { name: '2', exact: true }).click()
  await expect(page.locator('tbody')).toContainText('Plain and simple')
})

test('its buttons lead to the pages of the console', async ({ as }) => {
  const page = await as('admin', '/plain')
  await page.locator('tbody').getByRole('button', { name: 'Edit' }).first().click()
  await expect(page).toHaveURL(/\/ess\/[\w-]+\/edit$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toContainText('ESS-000001')
})

test('a save that the server refuses says so at the field, and what was typed stays', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { id, name: before } = await admin.first('ess?code=ESS-000013')
  const page = await as('admin', `/plain/${id}`)
  const name = page.getByRole('textbox', { name: 'Name of the system' })
  await expect(name).toHaveValue(String(before))
  await name.fill('x'.repeat(300))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.ant-form-item-explain-error')).toContainText(/at most \d+/)
  await expect(name).toHaveValue('x'.repeat(300))
  expect(calls.filter((call) => call.startsWith('PUT '))).toHaveLength(1)
  expect(await admin.get(`ess/${id}`)).toMatchObject({ name: before })
})

test('a role that may not list gets neither the table nor a call', async ({ as, calls }) => {
  const page = await as('installer', '/plain')
  await expect(page.getByText('Nothing to see here')).toBeVisible()
  expect(listCalls(calls)).toEqual([])
})
