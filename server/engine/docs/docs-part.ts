import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { isFleetStaff, type Role } from '#schema/roles.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { type DocsFile, docsFile, docsFiles } from './docs-files.ts'
import { docsPage, docsScript } from './docs-page.ts'
import { type DescribedRoute, openApi } from './openapi.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** OpenAPI schema of a body that is not validated by a schema: an upload. */
    described?: { bodyType: string; body: Record<string, unknown> }
    /** Request headers that the call reads, with their meaning. */
    readHeaders?: Readonly<Record<string, string>>
  }
}

const ownSchema: FastifySchema = {
  summary: 'This description of the API',
  description: 'Without a session it has the calls that need none, and those of boards.',
  tags: ['service'],
  response: { 200: z.looseObject({ openapi: z.string() }) },
}

/** True for calls described to a role: its own and the public ones; staff see all. */
function isDescribedTo(role: Role | undefined, { access, deviceKey }: DescribedRoute): boolean {
  if (isFleetStaff(role) || deviceKey || access === 'public') return true
  return role !== undefined && (access === 'user' || access?.includes(role) === true)
}

const oneHour = 'public, max-age=3600'

function registerPage(api: Api): void {
  const schema = { hide: true }
  const config = { access: 'public' as const }
  api.get('/docs', { config, schema }, (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage))
  api.get('/docs/script.js', { config, schema }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(docsScript),
  )
  for (const name of Object.keys(docsFiles) as DocsFile[])
    api.get(`/docs/${name}`, { config, schema }, async (_request, reply) =>
      reply
        .header('cache-control', oneHour)
        .type(docsFiles[name])
        .send(await docsFile(name)),
    )
}

function registerDocs(api: Api, { definitions }: ServerContext): void {
  const routes: DescribedRoute[] = []
  const { prefix } = api
  api.addHook('onRoute', ({ method, url, schema, config }) => {
    const { access, deviceKey, described, readHeaders } = config ?? {}
    routes.push({ method, url, schema, access, deviceKey, described, readHeaders })
  })
  const texts = new Map<Role | undefined, Promise<string>>()
  const textFor = async (role: Role | undefined) => {
    const described = routes.filter((route) => isDescribedTo(role, route))
    return JSON.stringify(await openApi(described, { definitions, prefix }))
  }
  api.get(
    '/openapi.json',
    { config: { access: 'public', knowsCaller: true }, schema: ownSchema },
    async ({ caller }, reply) => {
      const role = caller?.role
      const text = texts.get(role) ?? textFor(role)
      texts.set(role, text)
      return reply
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(await text)
    },
  )
  registerPage(api)
}

/** API description and a page to try it. It precedes all other parts, because it collects their routes. */
export const docsPart: ServerPart = { name: 'docs', register: registerDocs }
