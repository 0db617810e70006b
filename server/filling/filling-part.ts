import type { ServerPart } from '#server/context.ts'
import type { RulesByResource } from '#server/db/field-sql.ts'
import { engineOf } from '#server/records/register-records.ts'
import { demoRoutes } from './demo-routes.ts'
import { importRoutes } from './import-routes.ts'
import { outboxRoutes } from './outbox-routes.ts'

/** What an admin fills an installation with: files, the demo fleet, and the mails that nobody has sent. */
export const fillingPart = (rules: RulesByResource): ServerPart => ({
  name: 'filling',
  async register(api, context) {
    const engine = engineOf(context, rules)
    await importRoutes(api, engine)
    demoRoutes(api, engine)
    outboxRoutes(api, engine)
  },
})
