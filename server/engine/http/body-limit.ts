import type { FastifyInstance } from 'fastify'

const kib = 1024

/** Body limits by access. Routes for files, tables or frames declare their own. */
const bodyLimits = { public: 8 * kib, signedIn: 64 * kib } as const

/** Applies the default limit to every route of the scope. */
export function limitBodies(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    route.bodyLimit ??= route.config?.access === 'public' ? bodyLimits.public : bodyLimits.signedIn
  })
}
