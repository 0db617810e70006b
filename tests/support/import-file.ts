import type { ImportReport } from '#schema/wire/import-report.ts'
import type { TestEngine } from './databases.ts'
import { FleetServer } from './fleet-server.ts'
import type { Answer } from './people-server.ts'

export const csvHead = 'code,name,profile,chemistry,ratedEnergyWh,ratedChargePowerW,ratedDischargePowerW,location.timezone'
/** A system as a line of a file. */
export const row = (code: string, more: Partial<Record<string, string>> = {}) => {
  const cells: Record<string, string> = {
    code,
    name: `House ${code}`,
    profile: 'HOME',
    chemistry: 'LFP',
    ratedEnergyWh: '10000',
    ratedChargePowerW: '5000',
    ratedDischargePowerW: '5000',
    'location.timezone': 'Europe/Berlin',
    ...more,
  }
  return csvHead
    .split(',')
    .map((name) => cells[name] ?? '')
    .join(',')
}
export const file = (...rows: string[]) => [csvHead, ...rows].join('\r\n')
export const codes = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(5, '0')}`)

/** A server that an admin sends files to. */
export class Importer {
  readonly server: FleetServer
  readonly token: string

  constructor(server: FleetServer, token: string) {
    this.server = server
    this.token = token
  }

  async send(
    path: string,
    text: string | Buffer,
    headers: Record<string, string> = {},
    token = this.token,
  ): Promise<Answer & { report: ImportReport }> {
    const answer = await this.server.call('POST', `import/${path}`, {
      token,
      body: text,
      headers: { 'content-type': 'text/csv', ...headers },
    })
    return { ...answer, report: answer.body as ImportReport }
  }

  async count(table: string, where = 'true'): Promise<number> {
    const [found] = await this.server.rows<{ count: number }>(`select count(*) as "count" from "${table}" where ${where}`)
    return Number(found?.count)
  }

  audits = (where: string) =>
    this.server.rows<Record<string, unknown>>(`select * from "auditLog" where ${where} order by "at", "id"`)
}

export async function openImporter(engine: TestEngine): Promise<Importer> {
  const server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
  return new Importer(server, await server.as('admin'))
}
