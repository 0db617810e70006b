import { withArticle } from '#schema/check/report/report.ts'
import { conversionsOf, convertibleTypes, isOfFiles } from '#schema/conversions.ts'
import { traits } from '#schema/field-types.ts'
import { type Step, stepText } from './steps.ts'
import { counted, type Example, exampleText } from './tally.ts'

/** Kinds of conflicts between rows and a definition. */
export type ObstacleKind =
  | 'target'
  | 'currency'
  | 'unit'
  | 'measure'
  | 'meaning'
  | 'label'
  | 'filled'
  | 'circle'
  | 'type'
  | 'convert'
  | 'value'
  | 'choice'
  | 'unique'
  | 'required'
  | 'lost'
  | 'left'
  | 'beside'

/** Rows that a definition would lose or misinterpret. `field`: empty for a whole resource. */
export type Obstacle = {
  kind: ObstacleKind
  resource: string
  field: string
  /** Number of affected rows. */
  rows: number
  examples: readonly Example[]
  /** Stored type, where it differs from the defined one; the table of a whole resource. */
  stored?: string
  defined?: string
  /** Possible new names. */
  heirs?: readonly string[]
  /** Possible new names of required fields, with the rows that have no value there unless they take the lost one. */
  emptied?: readonly { field: string; rows: number }[]
}

const rowsHold = ({ rows }: Obstacle) => counted(rows, 'row holds', 'rows hold')

/** Column types in words; field types need none. */
const columnWords: Readonly<Record<string, string>> = {
  int8: 'bigint',
  int4: 'integer',
  float8: 'double precision',
  bool: 'boolean',
  timestamptz: 'timestamp with time zone',
}

/** True when values of the type, or column, are convertible to the other one. */
const canConvert = ({ stored = '', defined = '' }: Obstacle) =>
  convertibleTypes.some((type) => (type === stored || traits[type].column === stored) && conversionsOf(type).includes(defined))

const conversionOr =
  (...others: readonly string[]) =>
  (obstacle: Obstacle) =>
    [...(canConvert(obstacle) ? ['say `convert` at the field'] : []), ...others].join(', or ')

/** The facts that transfer a lost field's values. */
const heirText = (name: string, heirs: readonly string[], otherwise: string) =>
  heirs.length > 0 ? `say \`was: '${name}'\` at ${heirs.join(' or ')}, if it became that` : otherwise

/** Rows that a removal leaves without a value, so that the next plan brings no news. */
const emptiedText = (emptied: NonNullable<Obstacle['emptied']>) =>
  emptied
    .map(
      ({ field, rows }) => `, and say \`backfill\` at ${field}, which is required and empty in ${counted(rows, 'row', 'rows')}`,
    )
    .join('')

type Mend = string | ((obstacle: Obstacle) => string)

const texts: Record<ObstacleKind, { about: (obstacle: Obstacle) => string; mend: Mend }> = {
  type: {
    about: ({ rows, stored, defined }) =>
      `${counted(rows, 'value is', 'values are')} kept as ${columnWords[stored ?? ''] ?? stored}, the definition says ${defined}`,
    mend: conversionOr('take a new field and keep this one', 'keep the type'),
  },
  convert: {
    about: ({ rows, stored, defined }) => `${counted(rows, 'value', 'values')} of type ${stored} can not become ${defined}`,
    mend: ({ stored }) =>
      isOfFiles(stored)
        ? 'say `otherwise: null` in `convert`, which takes them to the archive with their files, or correct the values'
        : 'name them in `values` of `convert`, say `otherwise` there, or correct the values',
  },
  value: {
    about: (obstacle) =>
      obstacle.stored === obstacle.defined
        ? `${rowsHold(obstacle)} a value that is no choice of the definition`
        : `${rowsHold(obstacle)} a value that ${withArticle(obstacle.defined ?? '')} does not take (it was ${withArticle(obstacle.stored ?? '')})`,
    mend: (obstacle) => {
      if (obstacle.stored === obstacle.defined)
        return 'name them in `choicesWere` or `choicesGone` of the field, add them to its choices, or correct the values'
      return isOfFiles(obstacle.stored) && !canConvert(obstacle)
        ? 'take a new field and keep this one, or keep the type: stored files become nothing else'
        : conversionOr('correct the values', 'keep the type')(obstacle)
    },
  },
  target: {
    about: ({ rows, stored, defined }) =>
      `${counted(rows, 'row names', 'rows name')} a record that is no ${defined} (it was a ${stored})`,
    mend: 'take a new field for the other target, empty or correct the values, or keep the target',
  },
  currency: {
    about: (obstacle) =>
      `${rowsHold(obstacle)} an amount in another currency than ${obstacle.defined} (it was in ${obstacle.stored})`,
    mend: 'take a new field for the amounts in the other currency, or keep the currency',
  },
  unit: {
    about: (obstacle) =>
      `${rowsHold(obstacle)} a value in another unit than ${obstacle.defined} (it was in ${obstacle.stored})`,
    mend: ({ stored = '', defined }) =>
      `say \`unitWas: '${stored.match(/`(.+)`/)?.[1] ?? stored}'\` at the field, if the values are in ${defined} and only the unit was called otherwise; take a new field for the values in the other unit, or keep the unit`,
  },
  measure: {
    about: (obstacle) =>
      `${rowsHold(obstacle)} a number in a unit or currency that \`${obstacle.stored}\` gives up (${obstacle.defined})`,
    mend: ({ stored }) =>
      `keep the choice in \`${stored}\`, say \`choicesWere\` there if it was only called otherwise, or change number and choice of these rows together before`,
  },
  meaning: {
    about: (obstacle) =>
      `${rowsHold(obstacle)} ${withArticle(obstacle.stored ?? '')}, which ${withArticle(obstacle.defined ?? '')} reads as something else`,
    mend: (obstacle) =>
      [
        ...(canConvert(obstacle)
          ? [`say \`convert: { from: '${obstacle.stored}' }\` at the field, if the values are meant as they are`]
          : []),
        'take a new field for values of the other type, or keep the type',
      ].join('; '),
  },
  filled: {
    about: ({ rows, defined }) =>
      `${counted(rows, 'row would be filled', 'rows would be filled')} with a ${defined} that this database does not have, or that \`options\` of the field does not offer`,
    mend: 'say a record of this database in `backfill` (ids differ from one to another) or `$record.` and another field, or fill the rows before',
  },
  circle: {
    about: ({ rows }) =>
      `${counted(rows, 'row is', 'rows are')} above ${rows === 1 ? 'itself' : 'themselves'}, the definition says a tree`,
    mend: 'open the circles in the previous console, or keep `circular`',
  },
  label: {
    about: (obstacle) =>
      `${rowsHold(obstacle)} a choice with the label that another one had (now ${obstacle.defined}, before ${obstacle.stored})`,
    mend: ({ stored = '' }) =>
      `say \`choicesWere\` at the field, if keys changed (keys that change places take two plans: give each a new key, apply, then give it the key of the other); \`labelsWere: { ${stored.replace(/(\S+) ("[^"]*")/g, '$1: $2')} }\`, if the labels were wrong and the rows mean what they say now; or bring the labels back`,
  },
  choice: {
    about: (obstacle) => `${rowsHold(obstacle)} a choice that the definition does not have`,
    mend: 'name them in `choicesWere` or `choicesGone` of the field, or keep the choice',
  },
  unique: {
    about: (obstacle) => `${rowsHold(obstacle)} a value that another one holds, the definition says unique`,
    mend: 'change all but one of each, or leave `unique` out',
  },
  required: {
    about: ({ rows }) => `${counted(rows, 'row has', 'rows have')} no value, the definition says required`,
    mend: 'say `backfill` at the field, fill the rows, or leave `required` out',
  },
  lost: {
    about: ({ rows }) =>
      `${counted(rows, 'value is', 'values are')} in the database, and no field of the definition has the name`,
    mend: ({ field, heirs = [], emptied = [] }) =>
      [
        heirText(field.slice(field.lastIndexOf('.') + 1), heirs, 'name it in `was` of the field that it became'),
        `name it in \`gone\` of the resource, if its values may go${emptiedText(emptied)}`,
        'or bring the field back',
      ].join('; '),
  },
  left: {
    about: ({ rows, stored }) =>
      `${counted(rows, 'row is', 'rows are')} in the table ${stored}, and no definition has the name`,
    mend: ({ resource, heirs = [] }) =>
      [
        heirText(resource, heirs, 'name it in `was` of the resource that it became'),
        'name it in `goneResources` of resources/index.ts, if its rows may go',
        'or bring the definition back',
      ].join('; '),
  },
  beside: {
    about: ({ rows, stored }) =>
      `${counted(rows, 'row is', 'rows are')} still in ${stored}, its former table, and its own has rows, too`,
    mend: ({ stored }) =>
      `move the rows of ${stored} over by SQL and empty it; or take the name out of \`was\` and into \`goneResources\``,
  },
}

const mendOf = (obstacle: Obstacle) => {
  const { mend } = texts[obstacle.kind]
  return typeof mend === 'string' ? mend : mend(obstacle)
}

const placeText = ({ resource, field }: Obstacle) => (field ? `${resource}.${field}` : resource)

/** `service-visit.endsAt: 12 values are kept as date, the definition says dateTime` */
export const obstacleLine = (obstacle: Obstacle): string => `${placeText(obstacle)}: ${texts[obstacle.kind].about(obstacle)}`

/** The line with remedy and examples, for the terminal and the log. */
export const obstacleText = (obstacle: Obstacle): string =>
  [
    `  ${obstacleLine(obstacle)}`,
    `    To do: ${mendOf(obstacle)}.`,
    ...(obstacle.examples.length > 0 ? [`    ${obstacle.examples.map(exampleText).join('; ')}`] : []),
  ].join('\n')

/** Stops the start: it would lose or misinterpret data, or changes are waiting to be applied. The database is unchanged. */
export class ChangesRefused extends Error {
  override readonly name = 'ChangesRefused'
  readonly obstacles: readonly Obstacle[]
  readonly steps: readonly Step[]

  constructor({ obstacles, steps }: { obstacles: readonly Obstacle[]; steps: readonly Step[] }) {
    super(
      [
        'The definitions do not fit the data, so the server does not start. Nothing was changed.',
        ...obstacles.map(obstacleText),
        ...(steps.length > 0 ? ['Changes that wait for `npm run plan -- --apply`:'] : []),
        ...steps.map(stepText),
        'Next step: stop the server and run `npm run plan` with the same settings (in a release: `node server/start.mjs plan`).',
      ].join('\n'),
    )
    this.obstacles = obstacles
    this.steps = steps
  }
}
