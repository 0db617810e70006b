import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { PushError, type PushFault, pushFaults } from '#providers/push/push-error.ts'

const packageFile = createRequire(import.meta.url).resolve('@firebase/messaging/package.json')
const source = readFileSync(join(dirname(packageFile), 'dist/index.cjs.js'), 'utf8')

it.each(Object.entries(pushFaults))('says of %s what the provider itself says', (fault, text) => {
  const [, quoted] = new RegExp(`\\["${fault}"[^\\]]*\\]: (["'].*["']),?\\n`).exec(source) ?? []
  expect(quoted?.slice(1, -1)).toBe(text)
  const error = new PushError(fault as PushFault)
  expect([error.code, error.message]).toEqual([`messaging/${fault}`, `Messaging: ${text} (messaging/${fault}).`])
})
