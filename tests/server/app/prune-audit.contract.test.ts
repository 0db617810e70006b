import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pruneAudit } from '#server/app/prune-audit.ts'
import { readConfig } from '#server/base/config.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

const now = new Date('2026-03-02T12:00:00Z')

describe.each(engines)('the audit log on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
    for (const days of [1, 364, 366, 4_000]) {
      const at = new Date(now.getTime() - days * 86_400_000)
      await addAudit(database.kysely, { at, action: `${days}`, entityType: 'ess', requestId: '', ip: '' })
    }
  })
  afterAll(() => database.close())

  const kept = async () =>
    (await rowsOf(database.kysely, sql<{ action: string }>`select "action" from "auditLog" order by "at" desc`)).map(
      ({ action }) => action,
    )

  it('is kept for ever without a setting', async () => {
    await pruneAudit({ database, config: readConfig({}) }, now)
    expect(await kept()).toEqual(['1', '364', '366', '4000'])
  })

  it('loses what is older than AUDIT_KEPT_DAYS, and stays closed to every other statement', async () => {
    await pruneAudit({ database, config: readConfig({ AUDIT_KEPT_DAYS: '365' }) }, now)
    expect(await kept()).toEqual(['1', '364'])
    for (const statement of ['delete from "auditLog"', 'update "auditLog" set "code" = null', 'truncate "auditLog"'])
      await expect(sql.raw(statement).execute(database.kysely), statement).rejects.toThrow('never changed')
  })
})
