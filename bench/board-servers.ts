import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { embedded, postgres } from '#tests/support/databases.ts'
import { setup } from '#tests/support/postgres.ts'

/** Measures on a fresh embedded database and on a fresh PostgreSQL, one after the other. */
export async function onBothEngines<Row>(
  at: Date,
  measure: (name: string, server: BoardServer) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const stopPostgres = await setup()
  const rows: Row[] = []
  for (const engine of [embedded, postgres]) {
    const server = await openBoardServer(engine, { at })
    rows.push(...(await measure(engine.name, server)))
    await server.close()
  }
  await stopPostgres?.()
  return rows
}
