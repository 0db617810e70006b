import { createServer } from 'node:http'
import pg from 'pg'

// The least that a list can cost: node:http, one statement that PostgreSQL answers as rows, and optionally the exact count.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const page = `select * from "ess" where "lifecycle" = $1
  order by "code" collate "und-x-icu" nulls last, "id" limit 25`
const count = 'select count(*)::int as "total" from "ess" where "lifecycle" = $1'

const server = createServer(async (request, answer) => {
  const state = new URL(request.url ?? '/', 'http://floor').searchParams.get('lifecycle')
  const { rows } = await pool.query({ name: 'page', text: page, values: [state] })
  const headers = { 'content-type': 'application/json' }
  if (request.url?.startsWith('/counted'))
    headers['x-total-count'] = (await pool.query({ name: 'count', text: count, values: [state] })).rows[0].total
  answer.writeHead(200, headers).end(JSON.stringify(rows))
})
server.listen(0, '127.0.0.1', () => console.log(`floor at http://127.0.0.1:${server.address().port}`))
