import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'
import { readCsv } from '#tests/support/read-csv.ts'

const nasty = [
  '=1+1',
  '+7',
  '-3',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '＝1',
  "'quoted",
  'a,b',
  'say "hi"',
  'two\r\nlines',
  'Ёж 🔋',
  ' space ',
]
const guarded = /^[=+\-@\t\r＝]/

describe.each(engines)('an export on $name', (engine) => {
  let server: LiveServer
  let token = ''
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine), { env: { TOKEN_TTL_S: '86400' } })
    token = (await server.signedIn({ email: 'admin@example.com', role: 'admin' })).token
    const { kysely } = server.database
    const { id: owner } = await server.signedIn({ email: 'owner@example.com', role: 'client' })
    await sql`insert into "ess" ("id", "code", "name", "profile", "chemistry", "ownerId", "lifecycle", "ratedEnergyWh", "ratedChargePowerW",
        "ratedDischargePowerW", "installedAt", "location", "createdAt")
      select 'e' || lpad("n"::text, 5, '0'), 'ESS-' || lpad("n"::text, 5, '0'), 'Site ' || ("n" % 7), 'HOME', 'LFP',
        case when "n" % 3 = 0 then ${owner}::text end, 'PLANNED', 10000 + "n" % 50, 5000, 5000,
        case when "n" % 4 > 0 then date '2025-01-01' + ("n" % 11) end,
        ${JSON.stringify({ timezone: 'Europe/Berlin', lat: -33.5, address: '=cmd' })}::jsonb, now() - "n" * interval '1 second'
      from generate_series(1, 2500) as "n"`.execute(kysely)
  })
  afterAll(() => server.close())
  beforeEach(() => server.pass(61))

  const get = (path: string, as = token, headers = {}) => server.call('GET', `export/${path}`, { token: as, headers })
  const rowsOf = async (path: string, as = token) => {
    const { status, text } = await get(path, as)
    expect(status, text.slice(0, 300)).toBe(200)
    return readCsv(text).slice(1)
  }
  const bySeries = async (query: string) => (await rowsOf(`ess?columns=code&${query}`)).map(([code]) => code)
  const byList = async (query: string) => {
    const pages = await Promise.all(
      Array.from({ length: 13 }, (_, page) =>
        server.call('GET', `ess?${query}&_start=${page * 200}&_end=${(page + 1) * 200}`, { token }),
      ),
    )
    return pages.flatMap(({ text }) => (JSON.parse(text) as { code: string }[]).map(({ code }) => code))
  }

  it('has the columns of the list with labels and units, in the language that is asked for', async () => {
    const english = await get('ess?code=ESS-00003')
    expect(english.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(english.headers['content-disposition']).toMatch(/^attachment; filename="ess-\d{4}-\d\d-\d\d\.csv"$/)
    expect(english.text.startsWith('\uFEFFCode,Name,Connection,')).toBe(true)
    expect(readCsv(english.text)).toEqual([
      [
        'Code',
        'Name',
        'Connection',
        'Open warnings',
        'Cause',
        'Last signal, UTC',
        'Solar, W',
        'Grid, W',
        'Battery, W',
        'Load, W',
        'Owner',
      ],
      ['ESS-00003', 'Site 3', expect.any(String), '0', 'No board', '', '', '', '', '', 'owner@example.com'],
    ])
    const russian = await get('ess?code=ESS-00003&columns=ratedEnergyWh,lifecycle,createdAt', token, {
      'accept-language': 'ru',
    })
    expect(readCsv(russian.text)).toEqual([
      ['Ёмкость, Вт·ч', 'Жизненный цикл', 'Создано, UTC'],
      ['10003', expect.any(String), expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)],
    ])
  })

  it.each([
    '',
    '_sort=ratedEnergyWh&_order=desc',
    '_sort=name,ratedEnergyWh&_order=asc,desc',
    '_sort=installedAt&_order=asc',
    '_sort=installedAt,ownerId&_order=desc,asc',
    '_sort=ownerId&_order=asc',
    '_sort=connection&_order=desc',
    '_sort=id&_order=desc',
    '_sort=createdAt&_order=desc',
    '_sort=counts.boards&_order=asc',
  ])('has every row of the list once, in its order: %s', async (query) => {
    const codes = await bySeries(query)
    expect(codes).toHaveLength(2500)
    expect(codes).toEqual(await byList(query))
  })

  it('has exactly the filtered rows', async () => {
    const query = 'name=Site 1&name=Site 2&installedAt_null=false&q=ESS-0&_sort=name&_order=desc'
    const codes = await bySeries(query)
    expect(codes.length).toBeGreaterThan(300)
    expect(codes).toEqual((await byList(query)).filter((_, index) => index < codes.length))
    expect(await bySeries('name=Nowhere')).toEqual([])
  })

  it('keeps numbers as numbers and makes text of whatever a spreadsheet would run', async () => {
    const { kysely } = server.database
    for (const [index, name] of nasty.entries())
      await sql`update "ess" set "name" = ${name} where "code" = ${`ESS-${String(2400 + index).padStart(5, '0')}`}`.execute(
        kysely,
      )
    const rows = await rowsOf(
      'ess?columns=name,location.lat,location.address,ratedEnergyWh&code_like=ESS-024&_sort=code&_order=asc',
    )
    for (const [index, name] of nasty.entries())
      expect(rows[index], name).toEqual([
        guarded.test(name) ? `'${name}` : name,
        '-33.5',
        "'=cmd",
        String(10_000 + ((2400 + index) % 50)),
      ])
  })

  it('has the fields that the caller may read, and refuses the others by name', async () => {
    const engineer = await server.signedIn({ email: 'engineer@example.com', role: 'service_engineer' })
    expect(await rowsOf('client?columns=email,phone', engineer.token)).toEqual([['o***@example.com', '']])
    expect(await rowsOf('client?columns=email')).toEqual([['owner@example.com']])
    for (const path of [
      'user?columns=passwordHash',
      'ess?columns=notes',
      'ess?columns=code,nothing',
      'ess?unknown=1',
      'ess?_sort=nothing',
      'ess?format=xlsx',
      'ess?lifecycle=NONE',
    ]) {
      const { status, body } = await get(path)
      expect([status, body.code], path).toEqual([400, 'invalid'])
    }
    const reason = async (path: string) => (await get(path)).text
    expect(await reason('ess?columns=notes')).toContain('“notes” is on the page of a record only')
    expect(await reason('ess?columns=code,nothing')).toContain('There is no column “nothing”')
    const moderator = await server.signedIn({ email: 'moderator@example.com', role: 'moderator' })
    expect((await get('audit-log?columns=ip', moderator.token)).status).toBe(400)
    expect((await rowsOf('audit-log?columns=role', moderator.token)).flat()).not.toContain('Admin')
  })

  it('of a journal says in words what the screen says in words, and leaves what a person wrote as it is', async () => {
    await server.rows(`insert into "auditLog" ("id", "at", "action", "entityType", "entityId", "code", "reason", "requestId", "ip") values
      ('j1', '2026-01-01T00:00:01Z', 'acknowledge', 'telemetry-warning', 'w1', 'INSULATION_FAULT', 'seen', 'journal', ''),
      ('j2', '2026-01-01T00:00:02Z', 'create', 'firmware-update', 'u1', '2.2.0', 'automatic-update', 'journal', ''),
      ('j3', '2026-01-01T00:00:03Z', 'login', 'session', null, 'ann@example.com', 'wrong-password', 'journal', ''),
      ('j4', '2026-01-01T00:00:04Z', 'POST', 'constructor', null, null, 'toString', 'journal', '')`)
    const words = async (language: string, columns: string) =>
      readCsv(
        (await get(`audit-log?requestId=journal&_sort=at&columns=${columns}`, token, { 'accept-language': language })).text,
      )
    expect(await words('en', 'action,entityType,code,reason')).toEqual([
      ['Action', 'Kind', 'Record', 'Reason'],
      ['Acknowledge', 'Warning', 'Insulation fault', 'seen'],
      ['Created', 'Firmware update', '2.2.0', 'The board updates automatically'],
      ['Signed in', 'Session', 'ann@example.com', 'Wrong e-mail or password'],
      ['POST', 'constructor', '', 'toString'],
    ])
    expect((await words('ru', 'code,reason')).slice(1, 3)).toEqual([
      ['Нарушение изоляции', 'seen'],
      ['2.2.0', 'Плата обновляется автоматически'],
    ])
  })

  it('is for those who may see the list', async () => {
    const { token: client } = await server.signedIn({ email: 'client@example.com', role: 'client' })
    const { token: engineer } = await server.signedIn({ email: 'other@example.com', role: 'service_engineer' })
    expect((await server.call('GET', 'export/ess')).status).toBe(401)
    expect([(await get('ess', client)).status, (await get('user', engineer)).status]).toEqual([403, 403])
    expect([(await get('guest')).status, (await get('nothing')).status]).toEqual([404, 404])
    const head = await server.app.inject({
      method: 'HEAD',
      url: '/api/export/ess',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(head.statusCode).toBe(404)
  })

  it('is noted with what was taken out, and allowed ten times a minute', async () => {
    const { id, token: own } = await server.signedIn({ email: 'often@example.com', role: 'admin' })
    const answers = []
    for (let index = 0; index < 11; index += 1) answers.push(await get('ess?columns=code&name=Site 1', own))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
    expect(Number(answers[10]?.headers['retry-after'])).toBeGreaterThan(0)
    const entries = (result: string) =>
      server.rows(
        `select "entityType", "role", "after" from "auditLog" where "action" = 'export' and "actorId" = '${id}' and "result" = '${result}'`,
      )
    expect(await entries('OK')).toEqual(
      Array(10).fill({ entityType: 'ess', role: 'admin', after: { columns: ['code'], filters: { name: 'Site 1' } } }),
    )
    await expect.poll(() => entries('DENIED')).toMatchObject([{ entityType: 'ess', role: 'admin' }])
  })

  it('does not stop at 200 rows, a list’s window or a slow reader', async () => {
    expect(await bySeries('_start=0&_end=20')).toHaveLength(2500)
    const answer = await fetch(`${server.address}/api/export/ess`, { headers: { authorization: `Bearer ${token}` } })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(readCsv(text)).toHaveLength(2501)
  })
})
