import type { Guard } from './guard.ts'

/** Sign-in through a provider. */
export const provider: readonly Guard[] = [
  {
    against: 'a role that the provider takes from a client who gets a system meanwhile',
    file: 'server/account/oidc/enter.ts',
    text: '"id" = ${id} for update`',
    without: '"id" = ${id} for no key update`',
    shownBy: [
      'server/account/oidc/oidc-roles.contract.test.ts',
      'does not take a client who becomes the owner of a system at that moment',
    ],
  },
  {
    against: 'a sign-in that another tab began',
    file: 'server/account/oidc/attempt.ts',
    text: ' and "browserHash" = ${hashToken(browser)}',
    without: '',
    shownBy: ['server/account/oidc/oidc-faults.contract.test.ts', 'with another state, and with that of another browser'],
  },
  {
    against: 'a code of the provider that comes again',
    file: 'server/account/oidc/attempt.ts',
    text: 'delete from "oidcAttempt" where "hash" = ${hashToken(state)}',
    without: 'update "oidcAttempt" set "to" = "to" where "hash" = ${hashToken(state)}',
    shownBy: [
      'server/account/oidc/oidc-faults.contract.test.ts',
      'with a code that was used, also when the first one came to nothing',
    ],
  },
  {
    against: 'a way to the provider that takes hours',
    file: 'server/account/oidc/attempt.ts',
    text: '"expiresAt" > ${now} returning "nonce"',
    without: '"expiresAt" is not null returning "nonce"',
    shownBy: ['server/account/oidc/oidc-faults.contract.test.ts', 'after ten minutes'],
  },
  {
    against: 'a token that another key has signed',
    file: 'server/account/oidc/provider.ts',
    text: 'execute: [...insecure, enableNonRepudiationChecks]',
    without: 'execute: [...insecure]',
    shownBy: [
      'server/account/oidc/oidc-faults.contract.test.ts',
      'with a token that another key has signed, and with another verifier',
    ],
  },
  {
    against: 'an address that the provider has not verified',
    file: 'server/account/oidc/claims.ts',
    text: 'all.email_verified === true ?',
    without: 'all.email_verified !== null ?',
    shownBy: [
      'server/account/oidc/oidc-faults.contract.test.ts',
      'with an address that the provider has not verified, or has not given',
    ],
  },
  {
    against: 'anyone who has an account at the provider',
    file: 'server/account/oidc/linked-account.ts',
    text: '(await isInvited(db, person)) ? { person }',
    without: '(await isInvited(db, person)) || person ? { person }',
    shownBy: [
      'server/account/oidc/oidc-faults.contract.test.ts',
      'for nobody’s address, and for one whose invitation was revoked',
    ],
  },
  {
    against: 'an address that the provider has given to another person',
    file: 'server/account/oidc/linked-account.ts',
    text: "  if (link?.issuer === issuer) return { person, refusal: 'oidc.other-account' }\n",
    without: '',
    shownBy: [
      'server/account/oidc/oidc-faults.contract.test.ts',
      'for an account that is linked with another one of the provider: an address may have gone to another person',
    ],
  },
  {
    against: 'a locked account through the provider',
    file: 'server/account/oidc/enter.ts',
    text: 'refusal ?? barredBy(person)',
    without: 'refusal',
    shownBy: ['server/account/oidc/oidc-faults.contract.test.ts', 'for a locked and a deleted account'],
  },
  {
    against: 'a claim that means nothing and raises a person',
    file: 'server/account/oidc/enter.ts',
    text: "  if (role === 'none') throw new Denied('oidc.no-role')\n",
    without:
      "  if (role === 'none') return admit(work, id, { claims: { ...claims, all: { ...claims.all, [config.oidcRolesClaim]: config.oidcRoles[0]?.value } }, asked })\n",
    shownBy: [
      'server/account/oidc/oidc-roles.contract.test.ts',
      'is refused where no row fits: nobody is raised by a claim that means nothing here',
    ],
  },
  {
    against: 'the provider that takes the last admin',
    file: 'server/account/oidc/take-role.ts',
    text: '  if (refusal) return refusal\n',
    without: '',
    shownBy: [
      'server/account/oidc/oidc-roles.contract.test.ts',
      'does not take the last admin, nor a client who owns a system',
    ],
  },
  {
    against: 'a provider that stands for the second factor',
    file: 'server/account/oidc/enter.ts',
    text: '  if (!opened) return',
    without: '  if (opened !== null) return',
    shownBy: ['server/account/oidc/oidc.contract.test.ts', 'asks for the second factor where there is one'],
  },
  {
    against: 'a way back that leads to another site',
    file: 'server/account/oidc/oidc-routes.ts',
    text: 'to: safePath(request.body.to)',
    without: "to: request.body.to ?? '/'",
    shownBy: ['server/account/oidc/oidc.contract.test.ts', 'leads to no other place than a page of this console'],
  },
  {
    against: 'a path that leads to another site',
    file: 'src/schema/wire/safe-path.ts',
    text: "  if (origin !== here || pathname.startsWith('//')) return home\n",
    without: '',
    shownBy: ['schema/safe-path.test.ts', 'does not lead to %j'],
  },
  {
    against: 'a confirmation without a new sign-in',
    file: 'server/account/oidc/confirm.ts',
    text: "(isAgain ? undefined : 'oidc.not-again')",
    without: 'undefined',
    shownBy: [
      'server/account/oidc/oidc-confirm.contract.test.ts',
      'is refused where the provider did not ask again, or says nothing of it',
    ],
  },
  {
    against: 'a confirmation by another account',
    file: 'server/account/oidc/confirm.ts',
    text: 'const isOwner = await isLinkedWith(db, caller.userId, claims)',
    without: 'const isOwner = (await isLinkedWith(db, caller.userId, claims)) || true',
    shownBy: ['server/account/oidc/oidc-confirm.contract.test.ts', 'is refused to another account of the provider'],
  },
  {
    against: 'a confirmation of another session',
    file: 'server/account/oidc/attempt.ts',
    text: '\n      and "sessionId" is not distinct from ${sessionId}::text',
    without: '',
    shownBy: ['server/account/oidc/oidc-confirm.contract.test.ts', 'belongs to the session that began it, and is no sign-in'],
  },
  {
    against: 'a provider that answers slowly by now',
    file: 'server/account/oidc/provider.ts',
    text: '    if (found) return found.configuration\n',
    without: '',
    shownBy: ['server/account/oidc/oidc-sign-out.contract.test.ts', 'is not left out where the provider answers slowly by now'],
  },
]
