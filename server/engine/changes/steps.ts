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
  /** Some values as they are and as they become, each once; a change inside of a group or a list has none. For operators only. */
  examples?: readonly StepExample[]
}

export type StepExample = { before: unknown; after: unknown }

/** Fewer than of an obstacle, since nobody has to look for these rows. */
export const mostStepExamples = 3

export const withoutValues = ({ examples: _, ...step }: Step): Step => step

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

const longestExample = 80

/** A value as a terminal shows it. */
export function exampleValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > longestExample ? `${text.slice(0, longestExample)}…` : text
}

/** The line with its examples, for the terminal: `"HALF" → "OPEN"`. */
export const stepText = (step: Step): string =>
  [
    `  ${stepLine(step)}`,
    ...(step.examples ?? []).map(({ before, after }) => `    ${exampleValue(before)} → ${exampleValue(after)}`),
  ].join('\n')
