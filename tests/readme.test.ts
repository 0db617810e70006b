import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variables } from '#server/base/config.ts'

const readme = readFileSync('README.md', 'utf8')
const [start, end] = ['<!-- variables -->\n', '<!-- /variables -->']
const rows = Object.values(variables).map(({ name, absent, about }) => `| \`${name}\` | ${absent || '–'} | ${about} |\n`)

it('names every variable of the environment in the README, as the server reads it', () => {
  const [before = '', rest = ''] = readme.split(start)
  const [table, after = ''] = rest.split(end)
  if (process.env.UPDATE_README) writeFileSync('README.md', [before, start, ...rows, end, after].join(''))
  else expect(table).toBe(rows.join(''))
})
