import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#server/app/app.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { freePort } from '#tests/support/ports.ts'
import { promtool } from '#tests/support/promtool.ts'
import { idleDatabase } from '#tests/support/toy-app.ts'

const token = 'a-token-of-the-collector'
const rules = 'examples/alerts.yml'

describe.each(oneEngine(import.meta.filename))('the figures of a server on $name', (engine) => {
  let server: FleetServer
  const scrape = async () => {
    const answer = await server.app.inject({ url: '/api/metrics', headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(200)
    return answer.body
  }
  /** Value of a sample, by its name and labels as they are written. */
  const sampleOf = (text: string, sample: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${sample} `))
        ?.slice(sample.length + 1),
    )

  beforeAll(async () => {
    // Nothing listens there: figures of a stream that is away.
    const stream = { NATS_URL: `nats://127.0.0.1:${await freePort()}`, INGEST_WORK: 'false' }
    server = await FleetServer.open(engine, { METRICS_TOKEN: token, DEMO_SIZE: '5', DEMO_LIVE: '0', ...stream })
    await server.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())

  it('are told to the collector alone', async () => {
    for (const authorization of ['', 'Bearer wrong', `Bearer ${await server.as('admin')}`])
      expect((await server.app.inject({ url: '/api/metrics', headers: { authorization } })).statusCode).toBe(401)
    expect(await scrape()).toContain('# TYPE ess_http_requests_total counter')
  })

  it('count requests by template and status, and how long they took', async () => {
    const authorization = `Bearer ${await server.as('admin')}`
    const before = await scrape()
    for (const url of ['/api/ess?_start=0&_end=5', '/api/ess?q=vienna', '/api/ess/no-such-id']) {
      await server.app.inject({ url, headers: { authorization } })
    }
    const after = await scrape()
    const grown = (sample: string) => sampleOf(after, sample) - (sampleOf(before, sample) || 0)
    expect(grown('ess_http_requests_total{method="GET",route="/api/ess",status="200"}')).toBe(2)
    expect(grown('ess_http_requests_total{method="GET",route="/api/ess/:id",status="404"}')).toBe(1)
    expect(grown('ess_http_request_duration_seconds_count{method="GET",route="/api/ess"}')).toBe(2)
  })

  it('do not grow with what people ask for, and name nobody', async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/api/ess/${index}-some-id?q=ann${index}@example.com`)
    const strange = Array.from({ length: 300 }, (_, index) => `/api/wp-admin-${index}`)
    const seriesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('ess_http_')).length
    await server.app.inject(paths[0] ?? '')
    await server.app.inject(strange[0] ?? '')
    await server.app.inject({ url: '/x', method: 'REPORT' as never }).catch(() => undefined)
    const before = seriesOf(await scrape())
    for (const url of [...paths, ...strange]) await server.app.inject(url)
    const text = await scrape()
    expect(seriesOf(text)).toBe(before)
    expect(text).not.toMatch(/@|some-id|wp-admin|127\.0\.0\.1/)
  })

  it('tell of jobs, queues, connections, frames, streams and the disk', async () => {
    await expect
      .poll(async () => sampleOf(await scrape(), 'ess_job_last_success_timestamp_seconds{name="notices"}'))
      .toBeGreaterThan(Date.now() / 1000 - 60)
    const text = await scrape()
    expect(sampleOf(text, 'ess_job_interval_seconds{name="notices"}')).toBe(2)
    expect(sampleOf(text, 'ess_job_last_duration_seconds{name="notices"}')).toBeGreaterThan(0)
    expect(sampleOf(text, 'ess_queue_jobs{queue="mail"}')).toBe(0)
    expect(sampleOf(text, 'ess_queue_overdue_seconds{queue="push"}')).toBe(0)
    expect(sampleOf(text, 'ess_webhook_held_messages')).toBe(0)
    expect(sampleOf(text, 'ess_webhook_undelivered_seconds')).toBe(0)
    expect(sampleOf(text, 'ess_db_connections_max')).toBe(10)
    expect(sampleOf(text, 'ess_live_streams')).toBe(0)
    expect(sampleOf(text, 'ess_ingest_stream_up')).toBe(0)
    expect(sampleOf(text, 'ess_ingest_waiting')).toBeNaN()
    expect(sampleOf(text, 'ess_ingest_dead_total')).toBe(0)
    expect(sampleOf(text, 'ess_disk_free_ratio')).toBeGreaterThan(0)
    expect(sampleOf(text, 'ess_disk_free_ratio')).toBeLessThanOrEqual(1)
    expect(await scrape()).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  })

  it('tell of the messages of webhooks that are held or tried again', async () => {
    const add = (id: string, state: string, age: string) =>
      server.context.database.pool.query(`insert into "webhook_delivery" ("id", "webhookId", "event", "state", "body", "createdAt", "updatedAt")
        values ('${id}', 'w', 'record.created', '${state}', '{}', now() - interval '${age}', now())`)
    await add('held', 'HELD', '3 hours')
    await add('tried', 'WAITING', '2 hours')
    await add('young', 'WAITING', '1 minute')
    await add('done', 'DELIVERED', '9 hours')
    const text = await scrape()
    expect(sampleOf(text, 'ess_webhook_held_messages')).toBe(1)
    expect(sampleOf(text, 'ess_webhook_undelivered_seconds')).toBeCloseTo(7_200, -2)
    await server.context.database.pool.query('delete from "webhook_delivery"')
  })

  it('have every name that the alert rules ask for', async () => {
    const text = await scrape()
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', kind]) =>
        kind === 'histogram' ? [`${name}_bucket`] : [name],
      ),
    )
    const expressions = [...readFileSync(rules, 'utf8').matchAll(/^ +expr: (.+)$/gm)].map(([, text = '']) => text)
    const asked = expressions.flatMap((expression) => expression.match(/\b(?:ess|nodejs|process)_\w+/g) ?? [])
    expect(expressions.length).toBeGreaterThan(10)
    expect(new Set(asked).size).toBeGreaterThan(9)
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
    // A rule sees no increase from “absent” to 1: each series is there before its first event.
    const samples = text.split('\n').filter((line) => !line.startsWith('#'))
    const hasSample = (series: string) => {
      const [, name = '', label = ''] = /^(\w+)(?:\{(\w+="[^"]+")\})?$/.exec(series) ?? []
      return samples.some((line) => /^\w+/.exec(line)?.[0] === name && line.includes(label))
    }
    const series = expressions.flatMap((text) => text.match(/\b(?:ess|nodejs|process)_\w+(?:\{\w+="[^"]+"\})?/g) ?? [])
    expect(series).toContain('ess_webhook_attempts_total{outcome="given-up"}')
    expect([...new Set(series)].filter((one) => !hasSample(one))).toEqual([])
  })
})

it('promtool finds the alert rules sound', () => {
  const program = promtool()
  // Where none can be had, the names in the rules are checked all the same.
  if (program)
    expect(execFileSync(program, ['check', 'rules', rules], { encoding: 'utf8' })).toContain('SUCCESS: 21 rules found')
}, 120_000)

it('alert rules tell of webhooks that fail, are late, given up or held, of frames that wait or are given up, and of none that are not', () => {
  const program = promtool()
  if (program)
    expect(execFileSync(program, ['test', 'rules', 'tests/fixtures/alerts.yml'], { encoding: 'utf8' })).toContain('SUCCESS')
}, 120_000)

it('figures have a port of their own when one is set, and none by default', async () => {
  const metricsPort = await freePort()
  const open = (env: Record<string, string>) =>
    buildApp({
      config: readConfig(env),
      database: idleDatabase(),
      logger: false,
      parts: parts.filter(({ name }) => name === 'metrics'),
    })
  const app = await open({ METRICS_PORT: String(metricsPort), METRICS_TOKEN: token })
  const ask = async (path: string, authorization = '') =>
    (await fetch(`http://127.0.0.1:${metricsPort}${path}`, { headers: { authorization } })).status
  expect([await ask('/metrics'), await ask('/metrics', `Bearer ${token}`), await ask('/', `Bearer ${token}`)]).toEqual([
    401, 200, 404,
  ])
  expect((await app.inject({ url: '/api/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(404)
  await expect(open({ METRICS_PORT: String(metricsPort) })).rejects.toThrow('set METRICS_PORT to another one')
  await app.close()
  await expect(ask('/metrics')).rejects.toThrow()
  const plain = await open({})
  expect((await plain.inject('/api/metrics')).statusCode).toBe(404)
  await plain.close()
  expect(() => readConfig({ PORT: '9000', METRICS_PORT: '9000' })).toThrow('METRICS_PORT: use another port than PORT')
})
