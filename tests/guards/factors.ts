import type { Guard } from './guard.ts'

/** Second factors and fresh confirmations: a password alone opens nothing where more is asked for. */
export const factors: readonly Guard[] = [
  {
    against: 'an account of the staff by an invitation without a confirmation',
    file: 'resources/ess-actions.ts',
    text: "roles: staff, fresh: true, refresh: ['service-engineer'],",
    without: "roles: staff, refresh: ['service-engineer'],",
    shownBy: [
      'server/account/fresh-confirmation.contract.test.ts',
      'asks for it where an engineer is invited to a system, by an unknown address and by a known one',
    ],
  },
  {
    against: 'a dismissed person who is brought back without a confirmation',
    file: 'server/account/user.ts',
    text: '  await guardEntry(work, person.role)\n',
    without: '',
    shownBy: [
      'server/account/fresh-confirmation.contract.test.ts',
      'asks for it where a deleted account comes back, and not for a client',
    ],
  },
  {
    against: 'an address that is changed by the password where there is a second factor',
    file: 'server/account/user-routes.ts',
    text: 'if (!isByPassword) await requireOwnConfirmation(',
    without: 'if (isByPassword && !isByPassword) await requireOwnConfirmation(',
    shownBy: [
      'server/account/new-address.contract.test.ts',
      'is confirmed by a passkey where there is one, and not by the password any more',
    ],
  },
  {
    against: 'an address that is changed by a fresh sign-in alone',
    file: 'server/engine/records/fresh-confirmation.ts',
    text: ' and (${!isOwn} or "confirmedAt" > "createdAt")',
    without: '',
    shownBy: [
      'server/account/new-address.contract.test.ts',
      'is not confirmed by the sign-in, however fresh it is, nor after five minutes',
    ],
  },
  {
    against: 'an ID token that can be read in the database',
    file: 'server/account/oidc/provider-sign-out.ts',
    text: 'vault.seal(idToken, userId)',
    without: 'idToken',
    shownBy: [
      'server/account/oidc/oidc-sign-out.contract.test.ts',
      'follows that of a session that the provider has opened, and leads back to the sign-in page',
    ],
  },
  {
    against: 'a password that is enough where there is a factor',
    file: 'server/account/factor/factor-store.ts',
    text: "  if (hasFactor(await factorsOf(db, id))) return 'code'\n",
    without: '',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'answers a right password with a challenge alone, and a code with the session',
    ],
  },
  {
    against: 'a code that works twice',
    file: 'server/account/factor/factor-store.ts',
    text: '("lastStep" is null or "lastStep" < ${step})',
    without: '("lastStep" is null or "lastStep" <= ${step})',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'takes a code once: not again within its period, and no older one after it',
    ],
  },
  {
    against: 'ten sessions by one challenge',
    file: 'server/account/factor/second-step.ts',
    text: "    if (!(await closeChallenge(db, asked.challenge))) throw accountProblem('challenge.dead')\n",
    without: '    await closeChallenge(db, asked.challenge)\n',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'gives one session to ten who send ten recovery codes at the same moment',
    ],
  },
  {
    against: 'a recovery code that works twice',
    file: 'server/account/factor/recovery-codes.ts',
    text: ' and "usedAt" is null returning 1`',
    without: ' returning 1`',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'takes a recovery code once, however it is typed, and tells the owner how many are left',
    ],
  },
  {
    against: 'codes that are guessed from one address',
    file: 'server/base/rate-limits.ts',
    text: '    key: `code-from:${userId} ${addressOf(ip)}`,\n    max: 5,',
    without: '    key: `code-from:${userId} ${addressOf(ip)}`,\n    max: 500,',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'refuses the sixth code within a quarter of an hour, also the right one, and counts on over new challenges',
    ],
  },
  {
    against: 'codes that are guessed from everywhere',
    file: 'server/account/factor/second-step.ts',
    text: 'return own ? [] : [limits.code(asked.userId)]',
    without: 'return []',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'stops a guesser who has the password after twenty codes from anywhere, and tells the owner',
    ],
  },
  {
    against: 'an owner whose codes a stranger has used up',
    file: 'server/account/factor/second-step.ts',
    text: '!isAppCode(asked.code) || (await isKnownAddress(db, asked))',
    without: 'false',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'lets its owner in by a known address or a recovery code after a stranger has used up the codes of an hour',
    ],
  },
  {
    against: 'an address that is known by the password alone',
    file: 'server/account/factor/known-address.ts',
    text: " and \"reason\" in ('totp', 'recovery', 'passkey')",
    without: '',
    shownBy: [
      'server/account/second-factor.contract.test.ts',
      'knows an address by a sign-in with the second factor alone, for thirty days, and allows it five wrong codes',
    ],
  },
  {
    against: 'a password that confirms where there is a factor',
    file: 'server/account/factor/confirm-route.ts',
    text: "if (hasFactor(await factorsOf(database.kysely, userId))) return 'factor'",
    without: '',
    shownBy: [
      'server/account/factor-of-profile.contract.test.ts',
      'is changed by a fresh confirmation only: the password does not do where there is a factor',
    ],
  },
  {
    against: 'a moderator who resets a second factor',
    file: 'resources/user.ts',
    text: "icon: 'key', roles: ['admin'],\n      permit: 'governed', fresh",
    without: "icon: 'key', roles: ['admin', 'moderator'],\n      permit: 'governed', fresh",
    shownBy: ['server/account/factor-of-profile.contract.test.ts', 'is reset neither by a moderator nor for oneself'],
  },
  {
    against: 'a secret that opens in the row of another',
    file: 'server/base/secret-vault.ts',
    text: '(owner: string) => Buffer.from(owner)',
    without: "(_owner: string) => Buffer.from('')",
    shownBy: ['server/base/secret-vault.test.ts', 'seals a text for one owner, newly each time, and opens it for him alone'],
  },
  {
    against: 'a key file that others can read',
    file: 'server/base/secret-vault.ts',
    text: 'mode: 0o600',
    without: 'mode: 0o644',
    shownBy: ['server/base/secret-vault.test.ts', 'makes a key file for its owner alone, and reads it at the next start'],
  },
  {
    against: 'secrets of apps that can be read',
    file: 'server/account/factor/factor-store.ts',
    text: '${vaultOf(config).seal(secret, userId)}',
    without: '${secret}',
    shownBy: [
      'server/account/factor-of-profile.contract.test.ts',
      'is sealed in the database, also one that an earlier release left readable, and is of no use to another person',
    ],
  },
  {
    against: 'a role that needs a factor and has none',
    file: 'server/account/factor/factor-store.ts',
    text: "return isRequired(config, role) ? 'enrol' : undefined",
    without: 'return undefined',
    shownBy: ['server/account/factor-of-profile.contract.test.ts', 'is set up at sign-in before there is a session'],
  },
  {
    against: 'open sessions of a role that now needs a factor',
    file: 'server/account/factor/require-factor-part.ts',
    text: '    await endUnprotectedSessions(context)\n',
    without: '',
    shownBy: [
      'server/account/factor-of-profile.contract.test.ts',
      'ends the open sessions of those without one when the server starts with the setting',
    ],
  },
  {
    against: 'a session that lies open',
    file: 'server/engine/records/fresh-confirmation.ts',
    text: "  if (!fresh) throw problem('confirmation-needed')\n",
    without: '  if (!fresh) return\n',
    shownBy: [
      'server/account/fresh-confirmation.contract.test.ts',
      'is served while the sign-in is fresh, refused after it, and served again by who confirms',
    ],
  },
  {
    against: 'a confirmation of one session that counts for all',
    file: 'server/engine/records/fresh-confirmation.ts',
    text: '"id" = ${sessionId} and "confirmedAt"',
    without: '"userId" = (select "userId" from "session" where "id" = ${sessionId}) and "confirmedAt"',
    shownBy: [
      'server/account/fresh-confirmation.contract.test.ts',
      'asks each session of a person on its own, and says it once in the audit log',
    ],
  },
]
