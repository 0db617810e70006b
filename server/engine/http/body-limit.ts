import type { FastifyInstance } from 'fastify'

const kib = 1024

/** Bytes of a body by who may send it. Routes that take files, tables or frames name a limit of their own. */
const bodyLimits = { public: 8 * kib, signedIn: 64 * kib } as const

/** Gives every route of the scope the limit of its kind. */
export function limitBodies(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    route.bodyLimit ??= route.config?.access === 'public' ? bodyLimits.public : bodyLimits.signedIn
  })
}
