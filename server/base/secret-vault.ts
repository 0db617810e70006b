import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, keyFileName } from './config.ts'

const form = 'v1'
const ivBytes = 12
const tagBytes = 16

/** An encryption key and the id by which ciphertexts reference it. */
type Key = { id: string; bytes: Buffer }

/** Encrypts short texts, each bound to the owner of its row: in another row it does not decrypt. */
export type SecretVault = {
  /** Keys that it opens; a sealed text names its own. */
  keyIds: readonly string[]
  /** False without a key: texts are stored in plain. */
  seals: boolean
  seal: (text: string, owner: string) => string
  /**
   * The plain text; undefined when its key is missing, the owner differs, or it was modified. An unencrypted text is returned
   * unchanged.
   */
  open: (stored: string, owner: string) => string | undefined
  /** True when encrypted with the current key and format. */
  isCurrent: (stored: string) => boolean
}

/** Stores plain texts: several processes on PostgreSQL share no key unless a setting provides one. */
const openVault: SecretVault = {
  keyIds: [],
  seals: false,
  seal: (text) => text,
  open: (stored) => (stored.startsWith(`${form}.`) ? undefined : stored),
  isCurrent: (stored) => !stored.startsWith(`${form}.`),
}

function keyFrom(material: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', material, '', 'ess-console secrets', 32))
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes }
}

/** Additional data of a seal: it opens for this owner alone. */
const boundTo = (owner: string) => Buffer.from(owner)

function opened({ bytes }: Key, sealed: string, owner: string): string | undefined {
  const all = Buffer.from(sealed, 'base64url')
  if (all.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', bytes, all.subarray(0, ivBytes))
  decipher.setAAD(boundTo(owner)).setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** Encrypts with the first key, decrypts with all. */
function vaultWith(current: Key, older: readonly Key[]): SecretVault {
  const keys = new Map([current, ...older].map((key) => [key.id, key]))
  const prefix = `${form}.${current.id}.`
  return {
    keyIds: [...keys.keys()],
    seals: true,
    seal(text, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(boundTo(owner))
      const content = Buffer.concat([cipher.update(text), cipher.final()])
      return prefix + Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url')
    },
    open(stored, owner) {
      const [version, id = '', sealed = ''] = stored.split('.')
      if (version !== form) return stored
      const key = keys.get(id)
      return key && opened(key, sealed, owner)
    },
    isCurrent: (stored) => stored.startsWith(prefix),
  }
}

const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'code')

function readKeyFile(path: string): string | undefined {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (key === '') throw new Error(`${path} is empty`)
    return key
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Creates a key file readable by the process owner only. Of processes that start together on one folder the first one wins. */
function makeKeyFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const key = randomBytes(32).toString('base64url')
  // Written whole under another name first: nobody reads a file that is being filled.
  const unfinished = `${path}.${process.pid}.new`
  try {
    writeFileSync(unfinished, `${key}\n`, { mode: 0o600 })
    linkSync(unfinished, path)
    return key
  } catch (error) {
    const made = codeOf(error) === 'EEXIST' ? readKeyFile(path) : undefined
    if (made === undefined) throw error
    return made
  } finally {
    rmSync(unfinished, { force: true })
  }
}

export type VaultConfig = Pick<Config, 'secretsKey' | 'dataDir' | 'databaseUrl'>

/** The key of the setting; without one that of the key file. A text sealed by the file still opens when there is a setting. */
function settledVault({ secretsKey, dataDir }: VaultConfig): SecretVault {
  const path = join(dataDir, keyFileName)
  const inFile = readKeyFile(path)
  if (secretsKey !== undefined) return vaultWith(keyFrom(secretsKey), inFile === undefined ? [] : [keyFrom(inFile)])
  return vaultWith(keyFrom(inFile ?? makeKeyFile(path)), [])
}

type Vaults = WeakMap<VaultConfig, SecretVault>
const vaults: Vaults = new WeakMap()
const sealingVaults: Vaults = new WeakMap()

function madeOnce(made: Vaults, config: VaultConfig, make: () => SecretVault): SecretVault {
  const vault = made.get(config) ?? make()
  made.set(config, vault)
  return vault
}

/**
 * The server's vault: with `SECRETS_KEY`, or a key file in the data folder of an embedded database, created when first needed.
 */
export const vaultOf = (config: VaultConfig): SecretVault =>
  madeOnce(vaults, config, () =>
    config.secretsKey === undefined && config.databaseUrl !== undefined ? openVault : settledVault(config),
  )

/**
 * A vault that always seals, for texts that must not be readable in the database: without a setting by the key file of this
 * process's data folder on PostgreSQL, too, and by a key that ends with the process when no file can be kept there.
 */
export const sealingVaultOf = (config: VaultConfig): SecretVault =>
  madeOnce(sealingVaults, config, () => {
    try {
      return settledVault(config)
    } catch (error) {
      if (config.databaseUrl === undefined || config.secretsKey !== undefined) throw error
      return vaultWith(keyFrom(randomBytes(32).toString('base64url')), [])
    }
  })
