import type { ServerPart } from '#server/base/context.ts'
import { type EngineOptions, engineOf } from '#server/engine/engine-part.ts'
import { importRoutes } from './import-routes.ts'
import { outboxRoutes } from './outbox-routes.ts'

/** Server part of imports with undo, and of the outbox for installations without a mail server. */
export const fillingPart = (options: EngineOptions): ServerPart => ({
  name: 'filling',
  async register(api, context) {
    const engine = engineOf(context, options)
    await importRoutes(api, engine)
    outboxRoutes(api, engine)
  },
})
