/** Effect of each fact on both ends: the console helps, the server decides. */
const enforcement: readonly { fact: string; console: string; server: string }[] = [
  {
    fact: 'types and bounds of fields, `required`, `pattern`, `unique`, `rules`',
    console: 'a message at the field, before anything is sent where that can be known',
    server: '400 with every fault at once; `unique` 409',
  },
  { fact: '`access` of a resource', console: 'pages, buttons and menu are there for these roles only', server: '403' },
  {
    fact: '`access` of a field',
    console: 'not shown, or shown and closed',
    server: 'left out of every answer, filter, order and export; a value that is sent is 403',
  },
  {
    fact: '`scope`',
    console: 'nothing of its own',
    server: 'a condition of every statement: a record outside of it is in no list, count or export, and 404 by its address',
  },
  {
    fact: '`when` of a field',
    console: 'hidden and emptied',
    server: 'a value is refused (400), a stored one is emptied by the change that ends the condition',
  },
  {
    fact: '`when` of a resource or an action',
    console: 'not offered',
    server:
      '409, which says what is missing of the record, as far as the caller may read it; for an action also where its form is wrong',
  },
  {
    fact: '`changes` of an action',
    console: 'a message at the fields of a form that chooses what the record has already',
    server: '409 `action.changes-nothing`',
  },
  { fact: '`permit`', console: 'not offered; the help of its field says why', server: '403' },
  { fact: '`roles` of an action', console: 'not offered', server: '403' },
  {
    fact: '`next` and `starts` of a status',
    console: 'only these states are choices',
    server:
      '409 with the states that may follow, for changes, actions, imports and `work.records`; for a change or an action also where more of it is wrong. 400 for a new record',
  },
  {
    fact: '`to` of a reference',
    console: 'the records that the list of the target gives to the role are choices',
    server:
      '400 `no-such-record` for any other, whether it exists or not, in forms, actions and imports; a reference that the record has already may stay, and people may always name themselves',
  },
  {
    fact: '`options` of a reference',
    console: 'only these records are choices',
    server:
      '400; they decide in place of what the role may see of the target. `npm run check` names choices that do not load for a role',
  },
  {
    fact: '`import: false`',
    console: 'not among the things that can be imported',
    server: 'there is no such call',
  },
  { fact: '`fresh`', console: 'asks for password or second factor', server: '403 `confirmation-needed`' },
  {
    fact: '`roles` of a tab',
    console: 'not shown',
    server: 'its own call (`from`) is 403; rows of another resource keep to the `access` and `scope` of that one',
  },
  {
    fact: '`roles` of a view',
    console: 'not offered',
    server: 'nothing: anyone who may open the list may filter it so; `scope` says which rows a role sees',
  },
  { fact: '`roles` of a figure', console: 'not shown', server: 'not counted for other roles' },
  {
    fact: '`guard`, `checks`',
    console: 'asks for the typed value; shows what stands against the form',
    server: 'up to the rules of the action: the handler and `checks` of its `ResourceRules` refuse',
  },
  {
    fact: '`outlook`',
    console: 'says what the form would take in',
    server: 'a call for those who may save the form; 400 for values that saving refuses, too',
  },
  {
    fact: '`confirm`, `start`, `fills`, `list`, `sections`, `why`, `figures`, `menu`, `icon`',
    console: 'how it is asked, filled in and shown',
    server: 'nothing: a program that calls the API has no dialog',
  },
]

export const enforcementTable = `## Enforcement
The console helps, the server decides: what the console hides, a call of the API is refused.

| Fact | The console | The server |
|---|---|---|
${enforcement.map((row) => `| ${row.fact} | ${row.console} | ${row.server} |`).join('\n')}

SQL that a rule or a handler runs by itself is not looked at by any of it.`

export const statusText = `## States
A \`status\` moves along \`next\`: a state without it is an end. A new record begins in \`default\` or in one of \`starts\`. \`next\` says what is
possible at all, \`when\` of an action where its button stands, and \`set\` what it writes, so an action from \`OPEN\` to \`DONE\` has
\`when: { field: 'state', op: 'eq', value: 'OPEN' }\`, \`set: { state: 'DONE' }\`, and \`OPEN\` has \`next: ['DONE']\`. A form of the record offers
the state, too, to those who may write the field; \`readOnly: true\` leaves it to the
actions, by \`set\` or by \`work.records.update\` of a handler; then it has a \`default\` and no \`required\`.`

export const rolesText = `## Roles and groups
A list of roles is written out or taken from \`#schema/roles.ts\`: \`staff\` are those who run the service (\`admin\`, \`moderator\`), \`fleetStaff\` are
\`staff\` and \`service_engineer\`. \`installer\` and \`client\` are in no group, so no definition opens to them by accident: name them where they belong,
with a \`scope\` beside it. References to records that they may not see are shown as ids, unless \`unseen\` of the resource that is referred
to names what they may read of it; an empty list there leaves out the id, too: every reference to it is then as if it were empty, alone, among
several, in groups and in lists, and filters, orders and figures find no more than that.
\`\`\`ts
access: { list: [...fleetStaff, 'client'], create: staff, edit: staff, delete: ['admin'] },
scope: { client: { field: 'ownerId', op: 'eq', value: '$user.id' } },
\`\`\`
History of a record is shown to those who may list the journal, and each sees the entries that its \`scope\` leaves him: admins all, moderators
those of roles below them, service engineers their own.`

export const momentsText = `## Days and moments
A \`date\` is a day without zone: \`2026-11-24\` everywhere; beside \`$now\` it counts as its first moment in UTC. A \`dateTime\` is kept in UTC,
travels as ISO 8601 with milliseconds, and is shown in the zone of the viewer, of the place (\`zone: 'site'\`: that of a field
\`timezone\` of the record or of one of its groups) or in UTC. \`$today\` is the default
of a day and \`$now\` that of a moment. A rule compares with \`$now\`, or with another field by \`$record.x\`. An empty value is never more or less
than anything, so a rule over values that may be empty says so:
\`\`\`ts
rules: [{
  rule: { any: [{ field: 'endsAt', op: 'null', value: true }, { field: 'endsAt', op: 'gt', value: '$record.startsAt' }] },
  at: 'endsAt', message: ['Ends after it starts', 'Конец должен быть позже начала'],
}],
\`\`\``
