/** A declared change of data, made only by `npm run plan -- --apply`. */
export type Step = {
  kind: 'resource' | 'rename' | 'convert' | 'choices' | 'backfill' | 'gone'
  resource: string
  field?: string
  /** Former name or type. */
  from?: string
  /** New name or type. */
  to?: string
  /** Number of rows whose values change, move or are removed. */
  rows: number
  /** Number of them with a value that can not be read, which `otherwise` replaces. */
  otherwise?: number
  /** Distinct sample values before and after; changes inside a group or list have none. For operators only. */
  examples?: readonly StepExample[]
}

/** `isReplaced`: by `otherwise`. */
export type StepExample = { before: unknown; after: unknown; isReplaced?: boolean }

/** Fewer than for an obstacle, since these rows need no attention. */
export const mostStepExamples = 3

export const withoutValues = ({ examples: _, ...step }: Step): Step => step

const rowsText = ({ rows }: Step) => `${rows} ${rows === 1 ? 'row' : 'rows'}`

const replacedText = ({ otherwise = 0 }: Step) => (otherwise > 0 ? `, ${otherwise} of them by \`otherwise\`;` : ',')

const texts: Record<Step['kind'], (step: Step) => string> = {
  resource: (step) => `is renamed from ${step.from} (${rowsText(step)})`,
  rename: (step) => `is renamed from ${step.from} (${rowsText(step)})`,
  convert: (step) =>
    `becomes ${step.to} from ${step.from} (${rowsText(step)}${replacedText(step)} the old values go to the archive)`,
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

const pairText = ({ before, after, isReplaced }: StepExample) =>
  `    ${exampleValue(before)} → ${exampleValue(after)}${isReplaced ? ', by `otherwise`' : ''}`

const replacedLast = (examples: readonly StepExample[]) =>
  examples.toSorted((one, other) => Number(one.isReplaced ?? false) - Number(other.isReplaced ?? false))

/** The line with its examples, for the terminal: `"HALF" → "OPEN"`. */
export const stepText = (step: Step): string =>
  [`  ${stepLine(step)}`, ...replacedLast(step.examples ?? []).map(pairText)].join('\n')
