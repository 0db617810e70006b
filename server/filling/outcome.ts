import { type Fault, type FaultCode, faultText } from '#schema/faults.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { Problem, problemBody, type ShownFault } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Engine } from '#server/engine/records/work.ts'
import type { Announced } from './bulk-work.ts'
import type { SourceTable } from './source-rows.ts'
import type { Freed } from './unique/freed-values.ts'

/** A fault of a row with its text; `path` is empty for the row as a whole. */
export type RowFault = { path: string; message: string; label?: string | undefined }

export type Outcome = { row: number } & (
  | { kind: 'create'; id?: string; values: Row }
  | { kind: 'update'; record: Row; change: Row }
  | { kind: 'skip'; id: string }
  | { kind: 'bad'; faults: readonly RowFault[] }
)

/** A created or changed record; `before` has the former values of changed fields, also of those that a pairing changed. */
export type Written = { id: string; code: string; version: number; isNew: boolean; before?: Row }

export type Planning = {
  table: SourceTable
  update: boolean
  engine: Engine
  work: Work
  /** Counts the events of all batches of a file. */
  announced?: Announced
}
/** Looked at, but not written yet: `apply` writes what is good. `freed`: rows that take a value which another one frees. */
export type Plan = {
  outcomes: readonly Outcome[]
  letters: number
  freed?: readonly Pick<Freed, 'row' | 'by'>[]
  apply(): Promise<readonly Written[]>
}

const wordOf = (fault: ShownFault, language: Language) => (fault.text ? say(fault.text, language) : faultText(fault, language))

export const inWords = (faults: readonly ShownFault[], language: Language): RowFault[] =>
  faults.map((fault) => ({
    path: fault.path,
    message: wordOf(fault, language),
    ...(fault.label ? { label: say(fault.label, language) } : {}),
  }))

/** Outcomes with more faults, by row. */
export const withFaults = (
  outcomes: readonly Outcome[],
  more: ReadonlyMap<number, readonly ShownFault[]>,
  language: Language,
): Outcome[] =>
  outcomes.map((outcome) => {
    const faults = more.get(outcome.row)
    if (!faults) return outcome
    const known = outcome.kind === 'bad' ? outcome.faults : []
    return { row: outcome.row, kind: 'bad', faults: [...known, ...inWords(faults, language)] }
  })

/** Converts a rule's refusal to faults of the row; other errors pass through. */
export function refusalOf(error: unknown, language: Language): RowFault[] {
  if (!(error instanceof Problem) || error.status >= 500) throw error
  const { faults = [] } = error.facts
  const body = problemBody(error, language, '')
  if (faults.length === 0) return [{ path: '', message: [body.message].flat().join('; ') }]
  return inWords(faults, language).map((fault) => ({ ...fault, message: body.fields?.[fault.path] ?? fault.message }))
}

/** The cells behind the surplus or missing one are of other columns, so that nothing else is said of such a row. */
export const ragged: Label = [
  'This row has more or fewer cells than the header; quote a cell that contains the separator',
  'В строке другое число ячеек, чем в заголовке; ячейку с разделителем внутри возьмите в кавычки',
]

export const fault = (path: string, code: string, text: Label): ShownFault => ({ path, code, text })
export const plainFault = (path: string, code: FaultCode, params: Fault['params'] = {}): ShownFault => ({ path, code, params })
