import { z } from 'zod'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { orWhenLate } from '#server/base/time-limit.ts'

const schema = (summary: string) => ({ summary, tags: ['service'], response: { 200: z.object({ status: z.literal('ok') }) } })

/** A supervisor decides within seconds, and a database may be silent for longer. */
const readyWithinMs = 2_000

/** Liveness and readiness: without a session and cheap. `isReady`: the database responds and is migrated. */
export function registerHealth(api: Api, isReady: () => Promise<boolean>): void {
  api.get(
    '/health',
    { config: { access: 'public', shed: 'never' }, schema: schema('Whether the process lives') },
    async () => ({
      status: 'ok' as const,
    }),
  )
  api.get(
    '/ready',
    { config: { access: 'public', shed: 'never' }, schema: schema('Whether the database answers and is migrated') },
    async () => {
      const ready = await orWhenLate(isReady(), readyWithinMs, false).catch((error: unknown) => {
        throw problem('unavailable', { retryAfterS: 2 }, error)
      })
      if (!ready) throw problem('unavailable', { retryAfterS: 2 })
      return { status: 'ok' as const }
    },
  )
}
