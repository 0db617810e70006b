import { namesInUse } from '#schema/check/report/names.ts'
import { figurePlaces, figureTones } from '#schema/facts/figure-facts.ts'
import { menuGroups } from '#schema/facts/menu-facts.ts'
import { type FieldType, mayBeTitle, traits } from '#schema/field-types.ts'
import { fileTypes } from '#schema/files.ts'
import { currencies } from '#schema/format/money.ts'
import { units } from '#schema/format/units.ts'
import { iconNames } from '#schema/icon-names.ts'
import { operatorsOf } from '#schema/list-query.ts'
import { systemFields } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { ruleOps } from '#schema/rule.ts'
import { sectionLabels } from '#schema/section-labels.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { enforcementTable, momentsText, rolesText, statusText } from './enforcement.ts'
import { job } from './examples/job.ts'
import { machine } from './examples/machine.ts'
import { asCode, exampleOf, fieldExample } from './examples.ts'
import { partTable } from './part-table.ts'
import { placeholders } from './placeholders.ts'
import { type Fact, type FieldTypeText, factsOfType, fieldTypeTexts, shapeOfType, textOfType } from './read-types.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')
const code = (text: string) => `\`${text}\``
const listed = (names: Iterable<string>) => [...names].map(code).join(', ')

/** Examples that are too long for a table are the name of their resource. */
const shown = (example: string | undefined) =>
  example === undefined
    ? ''
    : /^[a-z][a-z-]+$/.test(example) && !['true', 'false'].includes(example)
      ? `in ${code(example)}`
      : code(example)

const factRow = (type: string) => (fact: Fact) =>
  `| ${code(fact.name)}${fact.isOptional ? '' : ' (needed)'} | ${cell(code(fact.type))} | ${cell(fact.text)} | ${cell(shown(exampleOf(type, fact.name)))} |`

const factTable = (type: string) =>
  ['| Fact | Type | Meaning | Example |', '|---|---|---|---|', ...factsOfType(type).map(factRow(type))].join('\n')

const section = (title: string, type: string) => `## ${title}\n${textOfType(type)}\n\n${factTable(type)}`

/** Facts that several field types share: their meaning is said once. */
function sharedFacts(types: readonly FieldTypeText[]): string {
  const shared = new Map<string, { fact: Fact; types: string[] }>()
  for (const { name, facts } of types)
    for (const fact of facts) {
      if (!fact.text) continue
      const known = shared.get(`${fact.name} ${fact.text}`) ?? { fact, types: [] }
      shared.set(`${fact.name} ${fact.text}`, { fact, types: [...known.types, name] })
    }
  const rows = [...shared.values()].map(
    ({ fact, types: of }) => `| ${code(fact.name)} | ${cell(fact.text)} | ${of.length > 12 ? 'most' : listed(of)} |`,
  )
  return ['| Fact | Meaning | Types |', '|---|---|---|', ...rows].join('\n')
}

const isFieldType = (name: string): name is FieldType => Object.hasOwn(traits, name)

function fieldType({ name, text, facts, value }: FieldTypeText): string {
  if (!isFieldType(name)) throw new Error(`there are no traits of ${name}`)
  const { column, compare, imported } = traits[name]
  const operators = compare === 'none' ? 'not filtered' : `filters ${listed(operatorsOf({ type: name } as never))}`
  const traitTexts = [
    `Value ${code(value)}`,
    `column ${code(column)}`,
    operators,
    imported ? 'imported' : 'not imported',
    ...(mayBeTitle({ type: name }) ? ['may be the title'] : []),
  ]
  const own = facts.map((fact) => `${fact.name}${fact.isOptional ? '' : ' (needed)'}`)
  return [
    `### ${name}`,
    text,
    '',
    `Facts: ${own.length > 0 ? own.map(code).join(', ') : 'those of every field'}. ${traitTexts.join('; ')}.`,
    '```ts',
    `${fieldExample(name)},`,
    '```',
  ].join('\n')
}

const rules = `## Rules
${textOfType('Rule')}

Form: ${code(shapeOfType('Rule').replace(/^\| /, ''))}; operators ${listed(ruleOps)}. A rule never asks the database: it reads the record, the caller and the
clock. Both ends evaluate the same data, and for \`scope\` the server makes a condition of SQL of it.
\`\`\`ts
when: { all: [{ field: 'state', op: 'eq', value: 'OPEN' }, { not: { field: 'workerId', op: 'eq', value: '$user.id' } }] },
\`\`\``

const placeholderTable = `## Placeholders
| Sign | Stands for | Places |
|---|---|---|
${placeholders.map(({ sign, means, places }) => `| ${code(sign)} | ${means} | ${cell(places)} |`).join('\n')}

Anything else that begins with \`$\` is a fault of the definition.`

const names = `## Names that a definition may say
| Kind | Names |
|---|---|
| icons | ${listed(iconNames)} |
| widgets | ${listed(widgetNames)} |
| sections with a label | ${listed(Object.keys(sectionLabels))} |
| roles | ${listed(roles)} |
| units | ${listed(Object.keys(units))} |
| currencies | ${listed(Object.keys(currencies))} |
| file types known by content | ${listed(Object.keys(fileTypes))} |
| tones of states | \`idle\`, \`info\`, \`good\`, \`warn\`, \`bad\` |
| groups of the menu | ${listed(Object.keys(menuGroups))} |
| places and tones of figures | ${listed(figurePlaces)}; ${listed(figureTones)} |
| fields of every record | ${listed(Object.keys(systemFields))} |
| no name of a field, since addresses and calls use it | ${listed(namesInUse)} |`

const head = `# Definitions
Made by \`npm run definitions\` from the types in \`src/schema\`; a test says when it is out of date.

A resource is one file in \`resources/\` that calls \`defineResource\`, and a line in \`resources/index.ts\`. It is plain data: no functions, no
values that are computed. The compiler finds misspelt facts and missing translations, \`npm run check\` what the compiler cannot: a state
that nothing leads to, a filter by a field that there is not, choices that wait for one another, an action that the server refuses on every
record, a condition that a role cannot answer. What may be meant, but is a slip more often, it says as a hint. A label is \`[English, Russian]\`. The examples of this page are parts of two
definitions, [machine](../build/definitions/examples/machine.ts) and [job](../build/definitions/examples/job.ts), or of the product's own;
*in \`ess\`* means \`resources/ess.ts\` or a file beside it.`

/** The reference of the language of definitions. */
export function definitionsDocument(): string {
  const types = fieldTypeTexts()
  return `${[
    head,
    section('Resource', 'Resource'),
    `## Fields\nNames are camelCase. ${textOfType('CommonFacts')}\n\n${factTable('CommonFacts')}`,
    `### Facts of several types\n${sharedFacts(types)}`,
    ...types.map(fieldType),
    statusText,
    momentsText,
    section('List', 'ListFacts'),
    section('Views', 'View'),
    section('Inbox', 'Inbox'),
    `## Sections\n${textOfType('Section')}\n\nForm: ${code(shapeOfType('Section'))}.
\`\`\`ts\nsections: ${asCode(job.sections)},\n\`\`\``,
    `${section('Tabs', 'Tab')}

Rows that are made from the record to which they belong:
\`\`\`ts\ntabs: ${asCode(machine.tabs)},\n\`\`\``,
    section('Actions', 'Action'),
    section('Confirmations', 'Confirm'),
    section('Consequences', 'Consequence'),
    section('Deletions', 'Deletion'),
    section('Checks of a form', 'Checks'),
    section('Outlook of a form', 'Outlook'),
    section('Lists that divide an outlook', 'Division'),
    section('Flows of a group', 'FlowPart'),
    section('Guarded values', 'Guard'),
    section('Secrets that are shown once', 'Reveal'),
    `## Access\n${textOfType('Access')}\n\nVerbs: \`list\`, \`show\`, \`create\`, \`edit\`, \`delete\`. A field's own \`access\` narrows it, \`scope\` says which records a role sees, \`roles\` of an\naction who runs it. The server refuses what the console hides. \`delete\` is final: the audit log\nkeeps the values, and nothing brings the record back. Where people may want it back, give it a state such as \`DELETED\` instead.`,
    rolesText,
    partTable,
    enforcementTable,
    section('Why a record is as it is', 'Sentence'),
    section('Paths of calls', 'Api'),
    rules,
    placeholderTable,
    section('Place in the menu', 'MenuPlace'),
    section('Counts in the menu', 'MenuCount'),
    section('Figures of the dashboard', 'Figure'),
    section('Journal', 'Journal'),
    names,
  ].join('\n\n')}\n`
}
