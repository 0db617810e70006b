import type { ReleaseProcess } from './release-process.ts'

/** The account of the demo that signs in to every kept folder. */
export const keptAdmin = { email: 'admin@example.com', password: 'demo-password' } as const

type Row = { id: string; status?: string }
type Known = Readonly<Record<'ess' | 'control-pcb' | 'firmware' | 'telemetry-warning', readonly Row[]>>
type Call = { name: string; method: string; path: string; body?: object; headers?: Record<string, string> }

const csv = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n`)

/** The work of people, which a demo fleet does not do by itself. Rows of each kind come of it. */
const callsOn = ({ ess: [ess], 'control-pcb': boards, firmware, 'telemetry-warning': [warning] }: Known): Call[] => [
  {
    name: 'a device for notifications',
    method: 'POST',
    path: 'device',
    body: { isDebug: false, platform: 'web', pushId: 'a-push-id-of-a-kept-folder' },
  },
  {
    name: 'an engineer',
    method: 'POST',
    path: 'user',
    body: { email: 'kept-engineer@example.com', role: 'service_engineer', firstName: 'Kept', lastName: 'Engineer' },
    headers: { 'idempotency-key': 'kept-engineer' },
  },
  {
    name: 'a guest',
    method: 'POST',
    path: `ess/${ess?.id}/invite-guest`,
    body: { email: 'kept-guest@example.com' },
  },
  {
    name: 'a system',
    method: 'POST',
    path: 'ess',
    body: {
      code: 'KEPT-00001',
      name: 'A kept system',
      profile: 'HOME',
      chemistry: 'LFP',
      ratedEnergyWh: 10_000,
      ratedChargePowerW: 5_000,
      ratedDischargePowerW: 5_000,
      location: { timezone: 'Europe/Berlin' },
    },
  },
  {
    name: 'a board',
    method: 'POST',
    path: 'control-pcb',
    body: { code: 'PCB-ABCD0001', uid: 'AB0000000001', hardwareRevision: 'A1' },
  },
  {
    name: 'a rollout',
    method: 'POST',
    path: 'rollout',
    body: {
      name: 'Kept',
      firmwareId: firmware.find(({ status }) => status === 'RELEASED')?.id,
      controlPcbIds: boards.slice(0, 2).map(({ id }) => id),
    },
  },
  {
    name: 'an import',
    method: 'POST',
    path: 'import/client',
    body: csv('Email,First name,Last name', 'kept-client@example.com,Kept,Client'),
  },
  { name: 'a comment', method: 'POST', path: `telemetry-warning/${warning?.id}/comment`, body: { text: 'It is looked after' } },
  { name: 'a new password', method: 'POST', path: 'user/restore-password', body: { email: 'client@example.com' } },
  { name: 'a failed sign-in', method: 'POST', path: 'auth/login', body: { ...keptAdmin, password: 'not-this-one-at-all' } },
]

async function rowsOf(server: ReleaseProcess, token: string, path: string): Promise<Row[]> {
  const { status, text } = await server.call(`${path}?_start=0&_end=25`, { token })
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
  const rows: Row[] = JSON.parse(text)
  return rows
}

async function signIn(server: ReleaseProcess, body: object): Promise<string> {
  const { status, text } = await server.call('auth/login', { method: 'POST', body })
  if (status !== 200) throw new Error(`nobody can sign in: ${status} ${text}`)
  const { accessToken }: { accessToken: string } = JSON.parse(text)
  return accessToken
}

/** Works on a server for a moment; returns the calls that its release did not take. */
export async function liveOn(server: ReleaseProcess): Promise<string[]> {
  for (const name of ['moderator', 'engineer', 'installer', 'client'])
    await signIn(server, { email: `${name}@example.com`, password: keptAdmin.password })
  const token = await signIn(server, keptAdmin)
  const known = {
    ess: await rowsOf(server, token, 'ess'),
    'control-pcb': await rowsOf(server, token, 'control-pcb'),
    firmware: await rowsOf(server, token, 'firmware'),
    'telemetry-warning': await rowsOf(server, token, 'telemetry-warning'),
  }
  const refused: string[] = []
  for (const { name, path, ...sent } of callsOn(known)) {
    const { status, text } = await server.call(path, { token, ...sent })
    if (status >= 300 && name !== 'a failed sign-in') refused.push(`${name}: ${status} ${text}`)
  }
  return refused
}
