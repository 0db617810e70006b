import { type Keeping, type PartPlace, partFacts, partTypes } from '#schema/check/parts/part-facts.ts'

const keeps = (keeping: Keeping) => (keeping === 'kept' ? 'yes' : 'no')
const named = (name: string) => `\`${name}\``

const isRefused = (places: Readonly<Record<PartPlace, Keeping>>) => Object.values(places).some((one) => one !== 'kept')
const rows = Object.entries(partFacts).filter(([, places]) => isRefused(places))
const [closed, never] = [true, undefined].map((unless) =>
  Object.entries(partTypes).flatMap(([type, { unlessClosed }]) => (unlessClosed === unless ? [named(type)] : [])),
)

/** Facts that parts of groups and lists do not keep, from the table of the check. */
export const partTable = `## Parts of groups and lists
A part takes the facts of its type, except for these, which \`npm run check\` refuses. A rule in \`required\` or \`readOnly\` and a computed \`default\`
are for fields of the record, too. Rows of a list have no identity, and a changed list replaces them all: what must be kept apart row by row is a
resource of its own, with a related tab.

| Fact | In a group | In the rows of a list |
|---|---|---|
${rows.map(([fact, { group, list }]) => `| ${named(fact)} | ${keeps(group)} | ${keeps(list)} |`).join('\n')}

No part is a ${never?.join(' or ')}, a file, or a reference that forms a tree; a ${closed?.join(' or ')} only where no form writes it (\`readOnly\` or
\`derived\`). The parts of a row are no list.`
