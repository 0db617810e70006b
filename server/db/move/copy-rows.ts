import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg, { type ClientBase, type CustomTypesConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Table } from './catalogue.ts'

/** Rows are read in portions of about this size, so that memory does not grow with a table. */
const portionChars = 4_000_000
const firstRows = 16
const mostRows = 20_000
const noticeMs = 5_000

/** Values as the database writes them: what one engine writes, the other one reads. */
const asWritten: CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const special = /[\\\n\r\t]/
const allSpecial = /[\\\n\r\t]/g

function cell(value: string | null): string {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(allSpecial, (sign) => escapes[sign] ?? sign) : value
}

type Portion = { rows: number; lines: string }

/** By the size of the portion before it. It grows slowly: large values may follow small ones. */
function nextRows({ rows, lines }: Portion): number {
  const fitting = Math.floor((rows * portionChars) / lines.length)
  return Math.max(1, Math.min(fitting, rows * 4, mostRows))
}

export const listOf = ({ columns }: Table) => columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')

/** Writes rows by COPY: with an insert they take twice the time. */
const copyIn = (client: ClientBase, statement: string, lines: string): Promise<void> =>
  pipeline(Readable.from([Buffer.from(lines)]), client.query(copyFrom(statement)))

type Clients = { source: ClientBase; target: ClientBase }

/** Copies all rows of a table; returns their number. `tell` hears how far it is now and then. */
export async function copyRows({ source, target }: Clients, table: Table, tell: (rows: number) => void): Promise<number> {
  const [name, list] = [pg.escapeIdentifier(table.name), listOf(table)]
  await source.query(`declare "moving" no scroll cursor for select ${list} from ${name}`)
  const fetch = async (count: number): Promise<Portion> => {
    const asked = { text: `fetch ${count} from "moving"`, rowMode: 'array' as const, types: asWritten }
    const { rows } = await source.query<(string | null)[]>(asked)
    return { rows: rows.length, lines: rows.map((row) => `${row.map(cell).join('\t')}\n`).join('') }
  }
  let copied = 0
  let noticedAt = performance.now()
  let portion = await fetch(firstRows)
  while (portion.rows > 0) {
    // The engine reads the next portion while the server writes this one.
    const writing = copyIn(target, `copy ${name} (${list}) from stdin`, portion.lines)
    const [next] = await Promise.all([fetch(nextRows(portion)), writing])
    copied += portion.rows
    portion = next
    if (performance.now() - noticedAt < noticeMs) continue
    noticedAt = performance.now()
    tell(copied)
  }
  await source.query('close "moving"')
  return copied
}
