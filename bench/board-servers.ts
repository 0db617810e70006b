import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { embedded, postgres, type TestEngine } from '#tests/support/databases.ts'
import { setup } from '#tests/support/postgres.ts'

type Measure<Row> = (name: string, server: BoardServer) => Promise<readonly Row[]>

/** Measures on servers that this opens: on a fresh embedded database and on a fresh PostgreSQL, one after the other. */
export async function onEachEngine<Row>(
  open: (engine: TestEngine) => Promise<BoardServer>,
  measure: Measure<Row>,
): Promise<Row[]> {
  const stopPostgres = await setup()
  const rows: Row[] = []
  for (const engine of [embedded, postgres]) {
    const server = await open(engine)
    rows.push(...(await measure(engine.name, server)))
    await server.close()
  }
  await stopPostgres?.()
  return rows
}

export const onBothEngines = <Row>(at: Date, measure: Measure<Row>): Promise<Row[]> =>
  onEachEngine((engine) => openBoardServer(engine, { at }), measure)
