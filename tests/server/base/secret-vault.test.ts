import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sealingVaultOf, vaultOf } from '#server/base/secret-vault.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ess-vault-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const secretsKey = 'a key of thirty-two characters or more'
const vault = (more: { secretsKey?: string; databaseUrl?: string } = {}) =>
  vaultOf({ secretsKey: undefined, databaseUrl: undefined, dataDir, ...more })
const keyFile = () => join(dataDir, 'secrets.key')

describe('a vault', () => {
  it('seals a text for one owner, newly each time, and opens it for him alone', () => {
    const { seal, open } = vault({ secretsKey })
    const [one, two] = [seal('JBSWY3DP', 'ann'), seal('JBSWY3DP', 'ann')]
    expect(one).not.toBe(two)
    expect(one + Buffer.from(one.split('.')[2] ?? '', 'base64url').toString()).not.toContain('JBSWY3DP')
    expect([open(one, 'ann'), open(two, 'ann'), open(one, 'bob')]).toEqual(['JBSWY3DP', 'JBSWY3DP', undefined])
  })

  it('opens nothing that was changed, cut or sealed by another key, and leaves alone what was never sealed', () => {
    const { seal, open } = vault({ secretsKey })
    const sealed = seal('JBSWY3DP', 'ann')
    const [form, id, content = ''] = sealed.split('.')
    const flipped = (content.startsWith('A') ? 'B' : 'A') + content.slice(1)
    expect(open([form, id, flipped].join('.'), 'ann')).toBeUndefined()
    expect(open(sealed.slice(0, -3), 'ann')).toBeUndefined()
    expect(open(`${form}.${id}.`, 'ann')).toBeUndefined()
    expect(vault({ secretsKey: `${secretsKey}!` }).open(sealed, 'ann')).toBeUndefined()
    expect(open('JBSWY3DP', 'ann')).toBe('JBSWY3DP')
  })

  it('makes a key file for its owner alone, and reads it at the next start', () => {
    const sealed = vault().seal('JBSWY3DP', 'ann')
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    const key = readFileSync(keyFile(), 'utf8')
    expect(vault().open(sealed, 'ann')).toBe('JBSWY3DP')
    expect(readFileSync(keyFile(), 'utf8')).toBe(key)
  })

  it('opens by the key file what it seals by a setting from then on', () => {
    const before = vault().seal('JBSWY3DP', 'ann')
    const { open, isCurrent, seal } = vault({ secretsKey })
    expect([open(before, 'ann'), isCurrent(before), isCurrent(seal('x', 'ann'))]).toEqual(['JBSWY3DP', false, true])
  })

  it('leaves texts as they are on PostgreSQL without a setting, and makes no file', () => {
    const { seal, open, isCurrent } = vault({ databaseUrl: 'postgres://db/ess' })
    expect([seal('JBSWY3DP', 'ann'), open('JBSWY3DP', 'ann'), isCurrent('JBSWY3DP')]).toEqual(['JBSWY3DP', 'JBSWY3DP', true])
    expect(open(vault({ secretsKey }).seal('JBSWY3DP', 'ann'), 'ann')).toBeUndefined()
    expect(() => statSync(keyFile())).toThrow()
  })

  it('that always seals keeps a key file beside PostgreSQL, too, and seals for its process alone where it cannot', () => {
    const beside = (folder = dataDir) =>
      sealingVaultOf({ secretsKey: undefined, databaseUrl: 'postgres://db/ess', dataDir: folder })
    const sealed = beside().seal('JBSWY3DP', 'ann')
    expect(sealed).not.toContain('JBSWY3DP')
    expect(beside().open(sealed, 'ann')).toBe('JBSWY3DP')
    expect(beside().keyIds).toContain(sealed.split('.')[1])
    const unwritable = join(keyFile(), 'no-folder')
    const alone = beside(unwritable)
    expect(alone.open(alone.seal('JBSWY3DP', 'ann'), 'ann')).toBe('JBSWY3DP')
    expect(beside(unwritable).open(alone.seal('JBSWY3DP', 'ann'), 'ann')).toBeUndefined()
    expect(() => sealingVaultOf({ secretsKey: undefined, databaseUrl: undefined, dataDir: unwritable })).toThrow()
  })
})
