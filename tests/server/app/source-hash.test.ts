import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plannedBuild, sourceHash, stampBuild } from '#server/app/source-hash.mjs'

const key = 'VITE_FIREBASE_API_KEY'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ess-hash-'))
  for (const part of ['build', 'package.json']) cpSync(part, join(root, part), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A build as `npm run build` makes it, without the minutes of a bundler. */
const build = (env: Readonly<Record<string, string>> = {}) =>
  stampBuild(root, env, async () => {
    mkdirSync(join(root, 'dist/server'), { recursive: true })
    writeFileSync(join(root, 'dist/server/main.mjs'), '')
  })

describe('the hash of the sources', () => {
  it('changes with a source, helpers of the build included, and with nothing else', () => {
    const before = sourceHash(root)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    expect(sourceHash(root)).toBe(before)
    writeFileSync(join(root, 'notes.txt'), 'no source')
    expect(sourceHash(root)).toBe(before)
    writeFileSync(join(root, 'build/chunk-groups.ts'), '// changed')
    expect(sourceHash(root)).not.toBe(before)
  })

  it('changes with the environment files that Vite reads', () => {
    const hashes = ['.env', '.env.local', '.env.production', '.env.production.local'].map((file) => {
      writeFileSync(join(root, file), `${key}=of-a-file`)
      return sourceHash(root)
    })
    expect(new Set([...hashes, '']).size).toBe(5)
  })

  it('is the same on every release of Node', () => {
    const script = (version: string) =>
      `Object.defineProperty(process, 'version', { value: '${version}' })
      const { sourceHash } = await import('./server/app/source-hash.mjs')
      console.log(sourceHash(${JSON.stringify(root)}))`
    const hashOn = (version: string) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script(version)], { encoding: 'utf8' }).trim()
    expect(hashOn('v20.19.0')).toBe(sourceHash(root))
    expect(hashOn('v24.12.0')).toBe(sourceHash(root))
  })
})

describe('the build that a start plans', () => {
  it('is one with the given settings where nothing is built', () => {
    expect(plannedBuild(root, { [key]: 'given', PATH: '/bin' })).toEqual({ [key]: 'given' })
  })

  it('is none after a build, whose settings are kept without being given again', async () => {
    await build({ [key]: 'given', PATH: '/bin' })
    expect(plannedBuild(root, {})).toBeUndefined()
    expect(plannedBuild(root, { [key]: 'given' })).toBeUndefined()
    expect(readFileSync(join(root, 'dist/stamp.json'), 'utf8')).not.toContain('/bin')
  })

  it('takes a changed setting, and keeps the others', async () => {
    await build({ [key]: 'given', VITE_UPDATE_METHOD: 'patch' })
    expect(plannedBuild(root, { [key]: 'changed' })).toEqual({ [key]: 'changed', VITE_UPDATE_METHOD: 'patch' })
    expect(plannedBuild(root, { VITE_APP_VERSION: '7' })).toMatchObject({ [key]: 'given', VITE_APP_VERSION: '7' })
  })

  it('keeps the settings when the sources change', async () => {
    await build({ [key]: 'given' })
    writeFileSync(join(root, 'build/chunk-groups.ts'), '// changed')
    expect(plannedBuild(root, {})).toEqual({ [key]: 'given' })
  })

  it('is one after a build that failed or whose sources changed meanwhile', async () => {
    await build()
    const failing = stampBuild(root, {}, () => Promise.reject(new Error('no memory left')))
    await expect(failing).rejects.toThrow('no memory left')
    expect(plannedBuild(root, {})).toEqual({})

    await stampBuild(root, {}, async () => writeFileSync(join(root, 'build/chunk-groups.ts'), '// edited during the build'))
    expect(plannedBuild(root, {})).toEqual({})
  })

  it('is one where the stamp of the build is damaged', async () => {
    await build({ [key]: 'given' })
    writeFileSync(join(root, 'dist/stamp.json'), '{"sources":')
    expect(plannedBuild(root, {})).toEqual({})
  })
})
