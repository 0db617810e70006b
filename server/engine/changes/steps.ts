/** A change of data that the definitions say: it is made by `npm run plan -- --apply` and by nothing else. */
export type Step = {
  kind: 'resource' | 'rename' | 'convert' | 'choices' | 'backfill' | 'gone'
  resource: string
  field?: string
  /** Name, or type, of before. */
  from?: string
  /** Type of after. */
  to?: string
  /** Rows whose values change, move or go. */
  rows: number
}

const rowsText = ({ rows }: Step) => `${rows} ${rows === 1 ? 'row' : 'rows'}`

const texts: Record<Step['kind'], (step: Step) => string> = {
  resource: (step) => `is renamed from ${step.from} (${rowsText(step)})`,
  rename: (step) => `is renamed from ${step.from} (${rowsText(step)})`,
  convert: (step) => `becomes ${step.to} from ${step.from} (${rowsText(step)}, the old values go to the archive)`,
  choices: (step) => `takes its new choices (${rowsText(step)})`,
  backfill: (step) => `is filled where it is empty (${rowsText(step)})`,
  gone: (step) => `goes to the archive (${rowsText(step)})`,
}

/** `visit.dueAt: is renamed from endsAt (12 rows)` */
export const stepLine = (step: Step): string =>
  `${step.field ? `${step.resource}.${step.field}` : step.resource}: ${texts[step.kind](step)}`
