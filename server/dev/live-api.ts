import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModuleRunner } from 'vite/module-runner'
import type { Config } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'

type Sources = {
  app: typeof import('#server/app/app.ts')
  parts: typeof import('#server/app/parts.ts')
  resources: typeof import('#resources/index.ts')
  definition: typeof import('#schema/definition.ts')
  messages: typeof import('#server/app/load-messages.ts')
}

/** The sources as they are now, not as they were when the process began. */
async function load(runner: ModuleRunner): Promise<Sources> {
  runner.clearCache()
  return {
    app: await runner.import('/server/app/app.ts'),
    parts: await runner.import('/server/app/parts.ts'),
    resources: await runner.import('/resources/index.ts'),
    definition: await runner.import('/src/schema/definition.ts'),
    messages: await runner.import('/server/app/load-messages.ts'),
  }
}

export type LiveApi = {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Rebuilds the API from the current sources. On failure it throws and the API stays as it was. */
  renew: () => Promise<void>
  close: () => Promise<void>
}

/** An API that can be exchanged under way, on one database. */
export function liveApi(runner: ModuleRunner, { config, database }: { config: Config; database: Database }): LiveApi {
  let api: Api | undefined
  let last = Promise.resolve()

  const exchange = async () => {
    const { app, parts, resources, definition, messages } = await load(runner)
    await messages.loadMessages()
    const definitions = definition.definitionsOf(resources.resources)
    const next = await app.buildApp({ config, database, definitions, parts: parts.parts })
    await api?.close()
    api = next
    // Requests come by `handle`; background work begins only with a server that listens.
    await next.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => 'API renewed' })
  }

  return {
    handle: (request, response) => {
      if (api) api.routing(request, response)
      else response.writeHead(503).end()
    },
    renew() {
      const renewed = last.then(exchange)
      last = renewed.catch(() => undefined)
      return renewed
    },
    close: async () => api?.close(),
  }
}
