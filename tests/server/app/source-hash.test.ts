import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ess-print-'))
  for (const part of ['build', 'server', 'package.json']) cpSync(part, join(folder, part), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const print = (root: string) => {
  const script = `console.log((await import('./server/app/source-hash.mjs')).sourcePrint(${JSON.stringify(root)}))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
}

it('tells from what was built whether it must be built anew, helpers of the build included', () => {
  expect(print(process.cwd())).toMatch(/^[0-9a-f]{64}$/)
  const before = print(folder)
  expect(print(folder)).toBe(before)
  writeFileSync(join(folder, 'build/slim.ts'), '// changed')
  expect(print(folder)).not.toBe(before)
})
