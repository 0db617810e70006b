import type { Guard } from './guard.ts'

/** Passkeys. */
export const passkeys: readonly Guard[] = [
  {
    against: 'a passkey of another origin',
    file: 'server/account/passkey/webauthn.ts',
    text: '      expectedOrigin: rp.origin,\n      expectedRPID: rp.id,\n      credential:',
    without:
      "      expectedOrigin: [rp.origin, 'https://evil.example', JSON.parse(Buffer.from(signed.clientDataJSON, 'base64url').toString()).origin],\n      expectedRPID: rp.id,\n      credential:",
    shownBy: ['server/account/passkey/passkey-faults.contract.test.ts', 'for %s, by every call, with a line in the audit log'],
  },
  {
    against: 'a passkey of another person',
    file: 'server/account/passkey/passkey-store.ts',
    text: ' and "userId" = ${userId} for update`',
    without: ' for update`',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'where it is another person’s: neither as the second step nor as a confirmation',
    ],
  },
  {
    against: 'an answer to options that were late or another’s',
    file: 'server/account/passkey/ceremony.ts',
    text: '\n      and "boundHash" = ${hashToken(bound)} and "expiresAt" > ${now} returning 1`',
    without: ' returning 1`',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'for an answer to other options, and for options that were answered, late, or another’s',
    ],
  },
  {
    against: 'a passkey that is tried again and again',
    file: 'server/account/passkey/ceremony.ts',
    text: 'delete from "passkeyCeremony" where "hash" = ${hashToken(challenge)} and "purpose"',
    without: 'update "passkeyCeremony" set "purpose" = "purpose" where "hash" = ${hashToken(challenge)} and "purpose"',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'for a second answer after a wrong one: options are used up by either',
    ],
  },
  {
    against: 'twenty sessions by one answer of a passkey',
    file: 'server/account/passkey/ceremony.ts',
    text: 'delete from "passkeyCeremony" where "hash" = ${hashToken(challenge)} and "purpose"',
    without: 'update "passkeyCeremony" set "purpose" = "purpose" where "hash" = ${hashToken(challenge)} and "purpose"',
    shownBy: [
      'server/account/passkey/passkey-sign-in.contract.test.ts',
      'opens one session for twenty who send the same answer at the same moment',
    ],
  },
  {
    against: 'a copy of a passkey',
    file: 'server/account/passkey/webauthn.ts',
    text: "  if ((newCounter > 0 || stored.counter > 0) && newCounter <= stored.counter) return 'passkey.counter'\n",
    without: '',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'when its counter does not go on, which the audit log tells apart; the true device goes on',
    ],
  },
  {
    against: 'a passkey without a counter that is taken for a copy',
    file: 'server/account/passkey/webauthn.ts',
    text: '(newCounter > 0 || stored.counter > 0) && newCounter',
    without: 'newCounter',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'never for a counter that stays at nought, as that of a synchronised one does',
    ],
  },
  {
    against: 'a locked account by a passkey',
    file: 'server/account/passkey/enter-by-passkey.ts',
    text: 'barredBy(person) ?? (isProviderOnly',
    without: '(isProviderOnly',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'for a locked and a deleted account, who are told so once the passkey was right',
    ],
  },
  {
    against: 'a role without passwords by a passkey',
    file: 'server/account/passkey/enter-by-passkey.ts',
    text: "(isProviderOnly(config, person.role) ? 'oidc.only' : undefined)",
    without: 'undefined',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'do not sign in a role that has no password sign-in either',
    ],
  },
  {
    against: 'guesses of passkeys without end',
    file: 'server/account/passkey/enter-by-passkey.ts',
    text: 'const ids = await takeLoginAttempt(context, limits.address(asked.ip))',
    without: 'const ids: number[] = []',
    shownBy: [
      'server/account/passkey/passkey-faults.contract.test.ts',
      'from an address that has failed twenty times in a quarter of an hour, also a right one',
    ],
  },
  {
    against: 'sign-ins by passkey that are begun without end',
    file: 'server/account/passkey/passkey-routes.ts',
    text: "      if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })\n",
    without: '',
    shownBy: [
      'server/account/passkey/passkey-sign-in.contract.test.ts',
      'begins sixty times in a quarter of an hour from one address, and no more',
    ],
  },
  {
    against: 'a factor that an open session changes',
    file: 'server/account/factor/factor-routes.ts',
    text: '    await requireFresh(work.db, work.caller, { now: work.now, minutes })\n',
    without: '',
    shownBy: [
      'server/account/passkey/passkey-of-profile.contract.test.ts',
      'are changed by a fresh confirmation only, which a passkey gives',
    ],
  },
  {
    against: 'passkeys without number',
    file: 'server/account/passkey/passkey-store.ts',
    text: "  if ((await passkeysOf(db, userId)).length >= mostPasskeys) return 'passkey.too-many'\n",
    without: '',
    shownBy: [
      'server/account/passkey/passkey-of-profile.contract.test.ts',
      'are not added twice, by another session, by late or other options, nor beyond twenty',
    ],
  },
  {
    against: 'a stolen password that adds a factor',
    file: 'server/account/factor/second-step.ts',
    text: "  if (asked.step === 'enrol' && hasFactor(await factorsOf(db, userId))) throw accountProblem('challenge.dead')\n",
    without: '',
    shownBy: [
      'server/account/passkey/passkey-required.contract.test.ts',
      'is not added beside one that is there: an enrolment that waits dies with the first that is done',
    ],
  },
  {
    against: 'the last factor of a role that needs one',
    file: 'server/account/factor/factor-routes.ts',
    text: "  if (isLast && isRequired(config, person.role)) throw accountProblem('second-factor.required')\n",
    without: '',
    shownBy: ['server/account/passkey/passkey-required.contract.test.ts', 'is not removed as the last factor'],
  },
  {
    against: 'passkeys that outlive a reset',
    file: 'server/account/factor/factor-store.ts',
    text: "['totp', 'passkey', 'recoveryCode', 'challenge']",
    without: "['totp', 'recoveryCode', 'challenge']",
    shownBy: [
      'server/account/passkey/passkey-of-profile.contract.test.ts',
      'are taken away by an admin who resets the second factor',
    ],
  },
  {
    against: 'a sign-in page that lies open and uses up the questions of its address',
    file: 'src/pages/public/use-passkey-fill.ts',
    text: ' || performance.now() - askedAt < renewedMs',
    without: '',
    shownBy: [
      'shell/passkey-fill.test.tsx',
      'are asked for once by a page that lies open, and by one that is looked at again and again',
    ],
  },
]
