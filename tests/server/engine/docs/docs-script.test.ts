import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { docsScript } from '#server/engine/docs/docs-page.ts'

type Resolve = (description: object, path: readonly string[]) => Promise<{ spec: unknown; errors: unknown[] }>

/** The function that the page gives to its package, of a page without a screen. */
function resolveOfPage(): Resolve {
  const given: { plugins: [{ fn: { resolveSubtree: Resolve } }] }[] = []
  const start = (options: (typeof given)[number]) => given.push(options)
  const page = {
    document: { createElement: () => ({}), getElementById: () => null },
    location: { href: 'https://console.example/api/docs' },
    SwaggerUIBundle: start,
    URL,
  }
  runInContext(docsScript, createContext({ ...page, window: page }))
  const [options] = given
  if (!options) throw new Error('the page was not started')
  return options.plugins[0].fn.resolveSubtree
}

type Answer = { ok: boolean; url: string; text: string }
type Ways = Record<string, { value?: string }>
type Options = {
  plugins: [
    { statePlugins: { auth: { wrapActions: { authorize: (original: unknown, system: object) => (ways: Ways) => unknown } } } },
  ]
  responseInterceptor: (answer: Answer) => Answer
  onComplete: () => void
}

/** The page with a package that only knows who is known. */
function signInPage(kept: object | null = null) {
  const line = { textContent: '', hidden: true }
  const given: Options[] = []
  const start = (options: Options) => {
    given.push(options)
    let known: Ways = {}
    const system = { authSelectors: { authorized: () => ({ toJS: () => known }) } }
    const original = (ways: Ways) => {
      known = ways
    }
    return { authActions: { authorize: options.plugins[0].statePlugins.auth.wrapActions.authorize(original, system) } }
  }
  const page = {
    document: { createElement: () => ({}), getElementById: (id: string) => (id === 'session' ? line : null) },
    localStorage: { getItem: () => JSON.stringify(kept) },
    location: { href: 'https://console.example/api/docs' },
    SwaggerUIBundle: start,
    setTimeout: (run: () => void) => run(),
    URL,
  }
  runInContext(docsScript, createContext({ ...page, window: page }))
  const answers = (path: string, body: object, ok = true) =>
    given.at(-1)?.responseInterceptor({ ok, url: `https://console.example/api/${path}`, text: JSON.stringify(body) })
  return { line, answers, starts: () => given.length }
}

const answer = (schema: object) => ({ get: { responses: { 200: { content: { 'application/json': { schema } } } } } })
const description = {
  paths: {
    '/hut': answer({ type: 'array', items: { $ref: '#/components/schemas/Hut' } }),
    '/path': answer({ $ref: '#/components/schemas/Path' }),
  },
  components: {
    schemas: {
      Hut: { type: 'object', properties: { at: { $ref: '#/components/schemas/Place' }, isOpen: { type: 'boolean' } } },
      Place: { type: 'string', enum: ['hill', 'lake'] },
      Path: { type: 'object', properties: { next: { $ref: '#/components/schemas/Path' } } },
    },
  },
}
const named = (name: string) => ({ $$ref: `https://console.example/api/docs#/components/schemas/${name}` })

describe('a call that is opened on the page of the API', () => {
  const opened = async (...path: string[]): Promise<unknown> => {
    const { spec, errors } = await resolveOfPage()(description, path)
    expect(errors).toEqual([])
    return JSON.parse(JSON.stringify(spec))
  }

  it('has the schemas that it refers to, in each other, too, each under its name', async () => {
    const at = { ...description.components.schemas.Place, ...named('Place') }
    const hut = { ...description.components.schemas.Hut, properties: { at, isOpen: { type: 'boolean' } }, ...named('Hut') }
    expect(await opened('paths', '/hut')).toEqual(answer({ type: 'array', items: hut }))
  })

  it('ends where a schema refers to itself', async () => {
    const path = { type: 'object', properties: { next: { $ref: '#/components/schemas/Path' } }, ...named('Path') }
    expect(await opened('paths', '/path')).toEqual(answer(path))
  })

  it('may be one that is not there', async () => {
    expect((await resolveOfPage()(description, ['paths', '/nowhere', 'get'])).spec).toBeUndefined()
  })
})

describe('the line above the calls', () => {
  const user = { email: 'ann@example.com', role: 'admin' }
  const accessTokenExpired = Date.UTC(2027, 2, 1, 12) / 1000

  it('says who has signed in by the call and until when, though the page starts over', () => {
    const page = signInPage()
    expect(page.line).toEqual({ textContent: '', hidden: true })
    page.answers('auth/login', { code: 'credentials' }, false)
    expect([page.line.hidden, page.starts()]).toEqual([true, 1])
    page.answers('auth/login', { accessToken: 't1', accessTokenExpired, user })
    expect(page.line.textContent).toMatch(/^Signed in as ann@example.com \(admin\) until Mar 1, 2027, .*\. The calls below/)
    expect([page.line.hidden, page.starts()]).toEqual([false, 2])
    page.answers('auth/refresh', { accessToken: 't2', accessTokenExpired, user: { ...user, role: 'client' } })
    expect(page.line.textContent).toContain('(client)')
  })

  it('says whose session of the console holds here', () => {
    const { line } = signInPage({ session: { accessToken: 't1', accessTokenExpired, user } })
    expect(line.textContent).toMatch(/^Signed in to the console as ann@example.com \(admin\) until /)
  })
})
