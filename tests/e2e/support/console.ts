import { type BrowserContext, test as base, expect, type Page, type Request } from '@playwright/test'
import type { Role } from '#schema/roles.ts'
import { ApiUser, accounts } from './api-user.ts'
import { checkApi } from './checked-api.ts'
import { type LiveServer, startFleet } from './live-server.ts'
import { signInPage } from './sign-in-page.ts'

/** Complaints of the browser: console errors and warnings, uncaught errors, calls to other hosts. */
class Complaints {
  readonly said: string[] = []
  readonly #allowed: RegExp[] = []

  /** Complaints that a test provokes on purpose. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  add(text: string): void {
    if (!this.#allowed.some((pattern) => pattern.test(text))) this.said.push(text)
  }
}

/** Chromium writes each refused call into its console; those of the API are answers that the console deals with. */
const isRefusal = (text: string, url: string) =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text) &&
  new URL(url).pathname.startsWith('/api/')

const isOwn = (url: URL, server: LiveServer) => url.origin === server.url || ['data:', 'blob:', 'about:'].includes(url.protocol)

const callText = (request: Request) => {
  const { pathname, search } = new URL(request.url())
  return `${request.method()} ${decodeURIComponent(pathname + search)}`
}

type Watched = { server: LiveServer; complaints: Complaints; calls: string[] }

function watch(context: BrowserContext, { server, complaints, calls }: Watched): void {
  context.on('console', (message) => {
    const isLoud = message.type() === 'error' || message.type() === 'warning'
    if (isLoud && !isRefusal(message.text(), message.location().url)) complaints.add(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => complaints.add(`uncaught: ${error.error().message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (!isOwn(url, server)) complaints.add(`a foreign host is called: ${request.url()}`)
    if (url.pathname.startsWith('/api/')) calls.push(callText(request))
  })
}

/** All browser tests with a checker between console and server: `CHECK_API=1 npx playwright test`. */
async function serveChecked(server: LiveServer, serve: (server: LiveServer) => Promise<void>): Promise<void> {
  const checked = await checkApi(server.url)
  await serve({ ...server, url: checked.url })
  await checked.stop()
  await server.stop()
  expect(checked.violations, 'the API keeps to its description').toEqual([])
}

type Fixtures = {
  server: LiveServer
  complaints: Complaints
  /** Opens a page as a role, signed in already: `await as('admin', '/ess')`. */
  as: (role: Role, path?: string) => Promise<Page>
  /** The same role by the API, in the session of the page if it is the page's role. */
  api: (role: Role) => Promise<ApiUser>
  /** Calls to the API that the browser has made, oldest first: `DELETE /api/user/…/lock`. */
  calls: string[]
}

export const test = base.extend<Omit<Fixtures, 'server'>, Pick<Fixtures, 'server'>>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const server = await startFleet({ isLong: true })
      if (process.env.CHECK_API) return serveChecked(server, use)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
  complaints: async ({}, use) => {
    const complaints = new Complaints()
    await use(complaints)
    expect(complaints.said, 'the console of the browser stays silent').toEqual([])
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
  calls: async ({}, use) => use([]),
  context: async ({ context, server, complaints, calls }, use) => {
    watch(context, { server, complaints, calls })
    await use(context)
  },
  api: async ({ server }, use) => {
    const known = new Map<Role, Promise<ApiUser>>()
    await use((role) => {
      const user = known.get(role) ?? ApiUser.signIn(server.url, accounts[role])
      known.set(role, user)
      return user
    })
  },
  as: async ({ page, api }, use) =>
    use(async (role, path = '/') => {
      await signInPage(page, await api(role))
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      return page
    }),
})
export { expect, signInPage }
