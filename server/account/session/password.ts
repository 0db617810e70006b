import { hash, type Options, parseOptions, verify } from '@node-rs/argon2'
import type { Fault } from '#schema/faults.ts'
import { isGuessable } from './password-guess.ts'

export type PasswordCost = { memoryKiB: number; passes: number }

/** Cost of one check: 19 MiB and two passes, about 10 ms of one core. */
export const usualCost: PasswordCost = { memoryKiB: 19_456, passes: 2 }

export type Passwords = {
  hash(password: string): Promise<string>
  /** Verifies a password. Without a hash it costs the same and returns false. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
  /** True for a hash with other cost parameters than the current ones. */
  isOutdated(stored: string): boolean
}

/** Password hashing with argon2id; tests use a low cost. */
export function createPasswords({ memoryKiB, passes }: PasswordCost = usualCost): Passwords {
  const options: Options = { memoryCost: memoryKiB, timeCost: passes, parallelism: 1 }
  // Composed and decomposed characters look alike, and the keyboard decides which one is sent.
  const prepared = (password: string) => password.normalize('NFC')
  const nobody = hash('nobody has this password', options)
  return {
    hash: (password) => hash(prepared(password), options),
    async verify(stored, password) {
      const right = await verify(stored ?? (await nobody), prepared(password)).catch(() => false)
      return right && !!stored
    },
    isOutdated(stored) {
      const made = parseOptions(stored)
      return made.memoryCost !== memoryKiB || made.timeCost !== passes
    },
  }
}

export const passwordLength = { min: 10, max: 128 } as const

/** Why a new password is refused: its length, the user's own e-mail, or that it is easily guessed. */
export function passwordFaults(password: string, email: string, path = 'password'): Fault[] {
  const { min, max } = passwordLength
  const length = [...password].length
  if (length < min) return [{ path, code: 'too-short', params: { min } }]
  if (length > max) return [{ path, code: 'too-long', params: { max } }]
  const lower = password.trim().toLowerCase()
  const [local = ''] = email.toLowerCase().split('@')
  if (lower === email.toLowerCase() || lower === local) return [{ path, code: 'password-is-email' }]
  return isGuessable(password) ? [{ path, code: 'common-password' }] : []
}

const kept = new WeakMap<object, Passwords>()

/** The server's password hashing, by context. The first call sets the cost. */
export function passwordsOf(context: object, cost?: PasswordCost): Passwords {
  const passwords = kept.get(context) ?? createPasswords(cost)
  kept.set(context, passwords)
  return passwords
}
