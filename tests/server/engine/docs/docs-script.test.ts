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
