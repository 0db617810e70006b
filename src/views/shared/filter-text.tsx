import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Wording } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { useReferenceTitles } from '#fields/reference/use-reference-titles.ts'
import { fieldWords } from '#fields/words.ts'
import type { Field } from '#schema/field-types.ts'
import type { Filter, FilterOp } from '#schema/list-query.ts'
import { type Label, say } from '#schema/words.ts'

const signs: Partial<Record<FilterOp, Label>> = {
  ne: fieldWords.not,
  gte: ['≥', '≥'],
  lte: ['≤', '≤'],
  like: ['∋', '∋'],
}

/** Values of a condition that are named; of the others it says the number. */
const maxNamed = 3

/** A condition as text: "A, B", "≥ 10.0 kWh", "Empty". */
function filterText(field: Field, filter: Filter, wording: Wording, titles?: ReadonlyMap<string, string>): string {
  if (filter.op === 'null') return say(filter.values[0] === false ? fieldWords.filled : fieldWords.empty, wording.language)
  if (filter.op === 'like') return `“${String(filter.values[0])}”`
  const texts = filter.values.map((value) => titles?.get(String(value)) ?? fieldText(field, value, wording))
  const named = texts.slice(0, maxNamed).join(', ')
  const rest = texts.length > maxNamed ? ` +${texts.length - maxNamed}` : ''
  const sign = signs[filter.op]
  return `${sign ? `${say(sign, wording.language)} ` : ''}${named}${rest}`
}

type FilterTextProps = { field: Field; filter: Filter }

/** A condition with its field: "Owner: Ann Lee". */
export function FilterText({ field, filter }: FilterTextProps) {
  if ('to' in field && filter.op !== 'null') return <ReferenceText to={field.to} {...{ field, filter }} />
  return <PlainText {...{ field, filter }} />
}

function ReferenceText({ to, ...props }: FilterTextProps & { to: string }) {
  return <PlainText {...props} titles={useReferenceTitles(to, props.filter.values.slice(0, maxNamed).map(String))} />
}

function PlainText({ field, filter, titles }: FilterTextProps & { titles?: ReadonlyMap<string, string> }) {
  const { language, zone } = useConsole()
  const sayLabel = useSay()
  return `${sayLabel(field.label)}: ${filterText(field, filter, { language, zone }, titles)}`
}
