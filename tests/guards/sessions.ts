import type { Guard } from './guard.ts'

/** Sessions: who calls, for how long, and how it ends. */
export const sessions: readonly Guard[] = [
  {
    against: 'a call without a session',
    file: 'server/engine/http/access.ts',
    text: "if (!request.caller) throw problem('not-signed-in')",
    without: 'if (!request.caller) return',
    shownBy: [
      'server/app/role-matrix.contract.test.ts',
      'answers 401 to anyone who is not signed in, on every call that is not public',
    ],
  },
  {
    against: 'half a header taken for a whole one',
    file: 'server/account/session/token.ts',
    text: 'const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/i',
    without: 'const bearer = /([A-Za-z0-9_-]{43})/i',
    shownBy: ['server/app/hostile-calls.contract.test.ts', 'get nowhere with half a header'],
  },
  {
    against: 'a route whose callers nobody declared',
    file: 'server/engine/http/access.ts',
    text: '    if (!isAccess(access))\n',
    without: '    if (access === null)\n',
    shownBy: ['server/app/access.test.ts', 'is declared by every route, or the server is not built'],
  },
  {
    against: 'the secret of a link as a session, or for another purpose',
    file: 'server/account/link.ts',
    text: ' and "kind" = any(${sql.val([...kinds])}::text[])',
    without: '',
    shownBy: ['server/account/links.contract.test.ts', 'is of no use for another purpose, nor as a session'],
  },
  {
    against: 'a role that was taken and goes on for long',
    file: 'server/account/session/register-sessions.ts',
    text: 'const rememberMs = 1_000',
    without: 'const rememberMs = 60_000',
    shownBy: [
      'server/account/session.contract.test.ts',
      'reads the role again, at the latest within a second of a change in the database',
    ],
  },
  {
    against: 'sessions that outlive another role',
    file: 'server/account/user.ts',
    text: "if (record.role !== before.role) return signOutEverywhere(work, userId, 'role changed')",
    without: '',
    shownBy: ['server/account/user.contract.test.ts', 'ends the sessions of whose role changes'],
  },
  {
    against: 'a token that lives on',
    file: 'server/account/session/session-store.ts',
    text: "return time(row.expiresAt) <= now ? 'expired' : 'live'",
    without: "return 'live'",
    shownBy: ['server/account/session.contract.test.ts', 'lets a token live to its second and no longer'],
  },
  {
    against: 'a session that nobody uses and that lives on',
    file: 'server/account/session/session-store.ts',
    text: "return time(row.lastSeenAt) + sessionLife.idleMs <= now ? 'idle' : undefined",
    without: 'return undefined',
    shownBy: ['server/account/session.contract.test.ts', 'ends after an hour without a call, and not before'],
  },
  {
    against: 'a session that is renewed for ever',
    file: 'server/account/session/session-store.ts',
    text: "  if (time(row.absoluteExpiresAt) <= now) return 'age'\n",
    without: '',
    shownBy: ['server/account/session.contract.test.ts', 'ends after 24 hours, however often it is renewed'],
  },
  {
    against: 'a session that a logout leaves alive',
    file: 'server/account/session/session-store.ts',
    text: "  if (row.endedAt) return row.endReason ?? ''\n",
    without: '',
    shownBy: ['server/account/session.contract.test.ts', 'ends with the logout, for refresh too'],
  },
  {
    against: 'a stream that outlives its session',
    file: 'server/account/live/live-hub.ts',
    text: 'if (!good && hashes.includes(stream.tokenHash)) stream.end()',
    without: 'if (!good && hashes.length < 0) stream.end()',
    shownBy: [
      'server/account/live/live-limits.contract.test.ts',
      'ends with the session: logout, lock, another role, the end of the token',
    ],
  },
  {
    against: 'calls under way that fail when the token is replaced',
    file: 'server/account/session/session-store.ts',
    text: 'graceMs: 30_000',
    without: 'graceMs: 0',
    shownBy: [
      'server/account/session.contract.test.ts',
      'keeps a replaced token 30 s for calls under way, then takes its use for theft',
    ],
  },
  {
    against: 'a stolen token that was replaced',
    file: 'server/account/session/session-store.ts',
    text: 'row.revokedAt || (isLate(row, now) && row.isFollowed)',
    without: 'row.revokedAt',
    shownBy: [
      'server/account/session.contract.test.ts',
      'keeps a replaced token 30 s for calls under way, then takes its use for theft',
    ],
  },
  {
    against: 'ten refreshes of which nine fail',
    file: 'server/account/session/session-store.ts',
    text: '  if (found.isLate)\n',
    without: '',
    shownBy: [
      'server/account/session.contract.test.ts',
      'answers ten refreshes at once with ten tokens that work, in one session',
    ],
  },
  {
    against: 'an end of the session that nobody explains',
    file: 'server/account/session/register-sessions.ts',
    text: 'throw sessionEnded(caller.endReason)',
    without: 'throw sessionEnded(undefined)',
    shownBy: [
      'server/account/session.contract.test.ts',
      'says to its holder why it was ended, in his language, to every call and to a refresh',
    ],
  },
  {
    against: 'sessions that outlive a lock',
    file: 'server/account/user.ts',
    text: "  await signOutEverywhere(work, id, 'locked')\n",
    without: '',
    shownBy: ['server/account/user.contract.test.ts', 'ends the sessions at once, and unlocking revives none'],
  },
  {
    against: 'sessions that outlive their user',
    file: 'server/account/user.ts',
    text: "  await signOutEverywhere(work, userId, 'deleted')\n",
    without: '',
    shownBy: [
      'server/account/user.contract.test.ts',
      'is soft, ends the sessions and mails a link that brings the account back',
    ],
  },
  {
    against: 'sessions that outlive the password',
    file: 'server/account/user-password.ts',
    text: "  await signOutEverywhere(work, person.id, 'password changed')\n",
    without: '',
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'replaces the password only for who knows it, and signs out everywhere',
    ],
  },
  {
    against: 'a change of the address that outlives the password',
    file: 'server/account/session/sign-out.ts',
    text: '  await endPendingAccess(work, userId)\n',
    without: '',
    shownBy: ['server/account/pending-access.contract.test.ts', 'ends with %s: a change of the e-mail address'],
  },
  {
    against: 'a change of the address by a session that has ended meanwhile',
    file: 'server/account/session/sign-out.ts',
    text: '  if (ended) throw sessionEnded(ended.endReason ?? undefined)\n',
    without: '',
    shownBy: [
      'server/account/pending-access.contract.test.ts',
      'leaves no change of the address to a call that was under way',
    ],
  },
  {
    against: 'failed tries that outlive the password',
    file: 'server/account/user-password.ts',
    text: '  await forgiveAccount(db, person.email)\n',
    without: '',
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'ends every session, forgives failed tries, and works once within the hour',
    ],
  },
  {
    against: 'a session by a password that was changed meanwhile',
    file: 'server/account/session/complete-sign-in.ts',
    text: 'return isSame && now ?',
    without: 'return now ?',
    shownBy: ['server/account/login.contract.test.ts', 'opens no session by a password that is another one by now'],
  },
  {
    against: 'readable tokens in the database',
    file: 'server/account/session/token.ts',
    text: "createHash('sha256').update(token).digest('base64url')",
    without: 'token',
    shownBy: ['server/account/session.contract.test.ts', 'stores no token that could be used'],
  },
  {
    against: 'passwords that are guessed on a known device',
    file: 'server/base/rate-limits.ts',
    text: 'key: `account:${email} ${device}`, max: 5,',
    without: 'key: `account:${email} ${device}`, max: 500,',
    shownBy: [
      'server/account/session/sign-in-device.contract.test.ts',
      'has five attempts of its own, and takes none of those of others',
    ],
  },
  {
    against: 'a person barred by another one behind the same address',
    file: 'server/account/session/sign-in.ts',
    text: '    return { isKnown: true, tried: [limits.device(email, device)] }\n',
    without: '    return { isKnown: true, tried: [limits.account(email, ip), limits.address(ip)] }\n',
    shownBy: [
      'server/account/session/sign-in-device.contract.test.ts',
      'signs in while a person behind the same address has used up the attempts there',
    ],
  },
  {
    against: 'a device that another account knows',
    file: 'server/account/session/sign-in-device.ts',
    text: ' and "u"."email" = ${email}',
    without: '',
    shownBy: [
      'server/account/session/sign-in-device.contract.test.ts',
      'is one of its account only, and only with a right password before',
    ],
  },
  {
    against: 'a device that is known by a former password',
    file: 'server/account/user-password.ts',
    text: '  await forgetDevicesOf(db, person.id)\n',
    without: '',
    shownBy: [
      'server/account/session/sign-in-device.contract.test.ts',
      'is known no more after a new password, which another person may have had',
    ],
  },
]
