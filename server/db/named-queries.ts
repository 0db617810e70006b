import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { StatementNames } from './prepared-statements.ts'

/** Wraps a client: frequent statements get a name, so that they are prepared. */
function naming(client: pg.PoolClient, names: StatementNames): pg.PoolClient {
  const query = (asked: unknown, values: unknown) => {
    const name = typeof asked === 'string' ? names.nameOf(asked) : undefined
    return Reflect.apply(client.query, client, name ? [{ name, text: asked, values }] : [asked, values])
  }
  return new Proxy(client, {
    get: (target, key) => {
      if (key === 'query') return query
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export function namingPool(pool: pg.Pool): PostgresPool {
  const names = new StatementNames()
  const clients = new WeakMap<pg.PoolClient, pg.PoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? naming(client, names)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
