import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutLabels } from '#build/cut-labels.ts'
import { cutWords } from '#build/definition-words.ts'
import { inertPackages } from '#build/inert-packages.ts'
import { packageBuild } from '#build/package-build.ts'
import { pureFunctions } from '#build/pure-functions.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ess-build-'))
  const kit = join(root, 'node_modules/kit')
  for (const folder of ['dev', 'prod']) {
    mkdirSync(join(kit, folder), { recursive: true })
    writeFileSync(join(kit, folder, 'index.js'), `export const kind = '${folder}'\ndescribe(kind)\n`)
  }
  writeFileSync(join(kit, 'package.json'), JSON.stringify({ name: 'kit', type: 'module', exports: './dev/index.js' }))
  writeFileSync(join(root, 'main.js'), "import { kind } from 'kit'\nglobalThis.kind = kind\n")
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function bundle(plugin: Plugin): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [plugin],
    build: { write: false, rolldownOptions: { input: join(root, 'main.js') } },
  })
  const [first] = Array.isArray(output) ? output : [output]
  const [chunk] = first && 'output' in first ? first.output : []
  return chunk?.type === 'chunk' ? chunk.code : ''
}

it('the build takes the named build of a package', async () => {
  expect(await bundle(packageBuild({ name: 'kit', from: '/dev/', to: '/prod/' }))).toContain('prod')
})

it('the build keeps a call of a function until it is said to be pure', async () => {
  expect(await bundle(packageBuild({ name: 'kit', from: '/dev/', to: '/dev/' }))).toContain('describe')
  expect(await bundle(pureFunctions({ name: 'describe', calledIn: /kit/ }))).not.toContain('describe')
})

it('the build drops the modules of an inert package that nothing uses', async () => {
  writeFileSync(join(root, 'main.js'), "import 'kit'\n")
  expect(await bundle(packageBuild({ name: 'kit', from: '/dev/', to: '/dev/' }))).toContain('describe')
  expect(await bundle(inertPackages('kit'))).not.toContain('describe')
})

it.each([
  ['a package that nothing imports', packageBuild({ name: 'gone', from: '/dev/', to: '/prod/' }), /gone: no module imports it/],
  ['a package whose entry has moved', packageBuild({ name: 'kit', from: '/esm/', to: '/prod/' }), /kit: its entry is/],
  ['an inert package without a module', inertPackages('kit', 'gone'), /No module of gone/],
  ['a pure function that nothing calls', pureFunctions({ name: 'gone', calledIn: /kit/ }), /No module calls gone/],
  ['definitions that nothing imports', cutLabels(), /no module of the console imports it/],
])('the build fails for %s', async (_, plugin, message) => {
  await expect(bundle(plugin)).rejects.toThrow(message)
})

it('the build fails for definitions without a label', () => {
  expect(() => cutWords([{ name: 'ess' }])).toThrow(/no label/)
})
