import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { fleetStaff } from '#schema/roles.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { docsPage } from './docs-page.ts'
import { docsScript } from './docs-script.ts'
import { type DescribedRoute, openApi } from './openapi.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** OpenAPI schema of a body that no schema checks: an upload. */
    described?: { bodyType: string; body: Record<string, unknown> }
  }
}

const ownSchema: FastifySchema = {
  summary: 'This description of the API',
  tags: ['service'],
  response: { 200: z.looseObject({ openapi: z.string() }) },
}

function registerDocs(api: Api, { definitions }: ServerContext): void {
  const routes: DescribedRoute[] = []
  const { prefix } = api
  api.addHook('onRoute', ({ method, url, schema, config }) => {
    routes.push({ method, url, schema, access: config?.access, deviceKey: config?.deviceKey, described: config?.described })
  })
  let text: string | undefined
  api.get('/openapi.json', { config: { access: fleetStaff }, schema: ownSchema }, async (_request, reply) => {
    text ??= JSON.stringify(openApi(routes, { definitions, prefix }))
    return reply.type('application/json; charset=utf-8').serializer(String).send(text)
  })
  const schema = { hide: true }
  api.get('/docs', { config: { access: 'public' }, schema }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage),
  )
  api.get('/docs/script.js', { config: { access: 'public' }, schema }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(docsScript),
  )
}

/** The API description and a page to try it. It precedes all other parts, since it collects their routes. */
export const docsPart: ServerPart = { name: 'docs', register: registerDocs }
