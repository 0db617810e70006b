import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variables } from '#server/base/config.ts'

const manual = readFileSync('docs/operate.md', 'utf8')
const [start, end] = ['<!-- variables -->\n', '<!-- /variables -->']
const rows = Object.values(variables).map(({ name, absent, about }) => `| \`${name}\` | ${absent || '–'} | ${about} |\n`)

it('names every variable of the environment in docs/operate.md, as the server reads it', () => {
  const [before = '', rest = ''] = manual.split(start)
  const [table, after = ''] = rest.split(end)
  if (process.env.UPDATE_SETTINGS) writeFileSync('docs/operate.md', [before, start, ...rows, end, after].join(''))
  else expect(table, 'run `npm run settings`').toBe(rows.join(''))
})
