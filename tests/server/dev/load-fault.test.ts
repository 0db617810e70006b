import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const tsx = resolve('node_modules/tsx/dist/esm/index.mjs')

describe('npm run check on a definition that can not be loaded', { timeout: 60_000 }, () => {
  let folder = ''
  let sound = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'load-fault-'))
    for (const name of ['resources', 'src', 'server']) await cp(name, join(folder, name), { recursive: true })
    await cp('package.json', join(folder, 'package.json'))
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    sound = await readFile(join(folder, 'resources/guest.ts'), 'utf8')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const check = (text: string) =>
    writeFile(join(folder, 'resources/guest.ts'), text).then(
      () =>
        new Promise<string[]>((settle) => {
          execFile(process.execPath, ['--import', tsx, 'server/check.ts'], { cwd: folder }, (error, out, err) =>
            settle([String(error?.code ?? 0), ...`${out}${err}`.trim().split('\n')]),
          )
        }),
    )

  it.each([
    ['a syntax error', (text: string) => `${text}\n{ {`, /^resources\/guest\.ts:\d+:\d+: .* \(syntax\)$/],
    [
      'a name that is not defined',
      (text: string) => `${text}\nnowhere()`,
      /^resources\/guest\.ts:\d+:\d+: nowhere is not defined \(load\)$/,
    ],
    [
      'an import of nothing',
      (text: string) => `import './gone.ts'\n${text}`,
      /Cannot find module 'resources\/gone\.ts'.* \(load\)$/,
    ],
  ])('tells of %s in one line with its place, without a stack', async (_, spoil, line) => {
    expect(await check(spoil(sound))).toEqual(['1', '1 fault in the definitions', expect.stringMatching(line)])
  })

  it('finds no fault in the sound ones', async () => {
    expect((await check(sound))[0]).toBe('0')
  })
})
