import type { ServerPart } from '#server/base/context.ts'
import { demoRoutes } from '#server/demo/demo-routes.ts'
import { engineOf } from '#server/engine/records/register-records.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
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
