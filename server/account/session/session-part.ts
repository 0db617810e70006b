import type { ServerPart } from '#server/base/context.ts'
import { type PasswordCost, passwordsOf } from './password.ts'
import { registerSessions } from './register-sessions.ts'
import { type ForgetDevice, sessionRoutes } from './routes.ts'

export type SessionPartOptions = {
  /** Cost of a password check; tests use a low one. */
  passwordCost?: PasswordCost
  /** Removes the push registration named by a logout. */
  forgetDevice?: ForgetDevice
}

/** Authenticates callers and serves sign-in and sign-out. It precedes every part that declares access. */
export const sessionPart = ({ passwordCost, forgetDevice }: SessionPartOptions = {}): ServerPart => ({
  name: 'session',
  register(api, context) {
    registerSessions(api, context)
    sessionRoutes(api, context, { passwords: passwordsOf(context, passwordCost), forgetDevice })
  },
})
