import { z } from 'zod'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { isMigrated } from '#server/db/migrate.ts'

const schema = (summary: string) => ({ summary, tags: ['service'], response: { 200: z.object({ status: z.literal('ok') }) } })

/** Whether the process lives, and whether it can work: both bare and cheap. */
export function registerHealth(api: Api, { database }: Pick<ServerContext, 'database'>): void {
  api.get('/health', { config: { access: 'public' }, schema: schema('Whether the process lives') }, async () => ({
    status: 'ok' as const,
  }))
  api.get(
    '/ready',
    { config: { access: 'public' }, schema: schema('Whether the database answers and is migrated') },
    async () => {
      const ready = await isMigrated(database).catch((error: unknown) => {
        throw problem('unavailable', { retryAfterS: 2 }, error)
      })
      if (!ready) throw problem('unavailable', { retryAfterS: 2 })
      return { status: 'ok' as const }
    },
  )
}
