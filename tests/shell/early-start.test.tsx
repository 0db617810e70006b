import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EarlyPlan } from '#console/early-plan.ts'

const plan: EarlyPlan = {
  build: 'abc',
  languages: { inline: ['en', 'ru'], further: [] },
  scripts: { console: [], signIn: [], dashboard: [], clientView: [], powerLines: [], client: [], list: [], show: [], form: [] },
  sections: { ess: { list: { url: 'ess?_start=0', roles: ['admin'] }, record: { url: 'ess/{id}', roles: ['admin'] } } },
}
const user = { id: 'u1', role: 'admin', timezone: 'UTC' }
const nowMs = Date.parse('2026-05-01T12:00:00Z')
const calls = vi.fn<(url: string) => Promise<Response>>()

/** A session whose token ends after so many seconds, by a clock of the server that is so far ahead. */
const keep = (leftS: number, skewMs = 0) =>
  localStorage.setItem(
    'ess-console.session',
    JSON.stringify({
      session: { accessToken: 'token', accessTokenExpired: (nowMs + skewMs) / 1000 + leftS, user },
      skewMs,
    }),
  )

async function run(path = '/ess'): Promise<string[]> {
  history.replaceState(null, '', path)
  await import('#console/early-start.ts')
  return calls.mock.calls.map(([url]) => url)
}

beforeEach(() => {
  vi.resetModules()
  calls.mockReset().mockImplementation(async () => new Response('{}'))
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] })
  vi.stubGlobal('earlyPlan', plan)
  vi.stubGlobal('fetch', calls)
  // Preloads would leave this machine.
  vi.spyOn(document.head, 'append').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  Reflect.deleteProperty(navigator, 'connection')
  delete window.earlyCalls
  delete document.documentElement.dataset.face
  delete document.documentElement.dataset.start
})

describe('the script of the document', () => {
  it('makes the first calls of a session whose token lives', async () => {
    keep(60)
    expect(await run()).toEqual(['/api/auth/me', '/api/ess?_start=0'])
    expect(window.earlyCalls?.token).toBe('token')
  })

  it.each([
    ['has ended', -1, 0],
    ['ends within ten seconds', 9, 0],
    ['has ended by the clock of the server, which is ahead of this one', -1, 600_000],
    ['has ended by the clock of the server, which is behind this one', -1, -600_000],
  ])('calls nothing with a token that %s', async (_name, leftS, skewMs) => {
    keep(leftS, skewMs)
    expect(await run()).toEqual([])
    expect(window.earlyCalls).toBeUndefined()
    expect(document.documentElement.dataset.start).toBeUndefined()
  })

  it.each(['', 'null', '{', '{"session":null}', '[]'])('calls nothing without a session: %j', async (stored) => {
    localStorage.setItem('ess-console.session', stored)
    expect(await run()).toEqual([])
  })

  it('calls nothing on the sign-in page, nor beyond what the role may read', async () => {
    keep(60)
    expect(await run('/login')).toEqual([])
    vi.resetModules()
    localStorage.setItem(
      'ess-console.session',
      JSON.stringify({
        session: { accessToken: 't', accessTokenExpired: nowMs / 1000 + 60, user: { ...user, role: 'client' } },
      }),
    )
    expect(await run()).toEqual(['/api/auth/me'])
  })
})

describe('the scripts of the first page', () => {
  const own = { ...plan.scripts, dashboard: ['/d.js'], clientView: ['/sites.js'], powerLines: ['/lines.js'] }

  it.each([
    ['admin', ['/d.js', '/lines.js']],
    ['service_engineer', ['/d.js', '/lines.js']],
    ['client', ['/d.js', '/sites.js']],
    ['installer', ['/d.js']],
  ])('are those that the dashboard of a %s is drawn with', async (role, expected) => {
    vi.stubGlobal('earlyPlan', { ...plan, scripts: own })
    const session = { accessToken: 't', accessTokenExpired: nowMs / 1000 + 60, user: { ...user, role } }
    localStorage.setItem('ess-console.session', JSON.stringify({ session }))
    await run('/')
    const links = vi
      .mocked(document.head.append)
      .mock.calls.flatMap(([node]) => (node instanceof HTMLLinkElement ? [node] : []))
    const scripts = links.filter(({ rel }) => rel === 'modulepreload').map((link) => link.getAttribute('href'))
    expect(scripts).toEqual(expected)
  })
})

describe('the typeface of a page', () => {
  const face = () => document.documentElement.dataset.face

  it('is the own one from the start where an earlier page has fetched it', async () => {
    await run()
    expect(face()).toBeUndefined()
    vi.resetModules()
    localStorage.setItem('ess-console.face', 'own')
    await run()
    expect(face()).toBe('own')
  })

  it.each([{ saveData: true }, { effectiveType: '2g' }])(
    'is that of the system on a metered line, also after that: %j',
    async (line) => {
      localStorage.setItem('ess-console.face', 'own')
      Object.defineProperty(navigator, 'connection', { value: line, configurable: true })
      await run()
      expect(face()).toBeUndefined()
    },
  )
})
