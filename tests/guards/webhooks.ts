import type { Guard } from './guard.ts'

/** Calls to other systems, and what is kept of people. */
export const webhooks: readonly Guard[] = [
  {
    against: 'a webhook into a private network',
    file: 'server/account/webhook/allowed-address.ts',
    text: '!closed.check(address, family)',
    without: '(true || closed.check(address, family))',
    shownBy: [
      'server/account/webhook/webhook-address.test.ts',
      'is not of a private network, of this machine or of its link: %s',
    ],
  },
  {
    against: 'a name that resolves to another address (DNS rebinding)',
    file: 'server/account/webhook/allowed-address.ts',
    text: 'const allowed = found.filter(({ address }) => this.isAllowed(address))',
    without: 'const allowed = found',
    shownBy: [
      'server/account/webhook/webhook-address.test.ts',
      'is judged by the address that is connected to: one that resolves to another one later gets nothing (DNS rebinding)',
    ],
  },
  {
    against: 'secrets of webhooks that can be read',
    file: 'server/account/webhook/webhook-secrets.ts',
    text: '${vaultOf(config).seal(secret, webhookId)}',
    without: '${secret}',
    shownBy: [
      'server/account/webhook/webhook-secret.contract.test.ts',
      'show a secret in one answer and nowhere else: not in records, deliveries, the audit log or readable in the database',
    ],
  },
  {
    against: 'a secret that ends at once when it is changed',
    file: 'server/account/webhook/webhook-secrets.ts',
    text: '("until" is null or "until" > ${now})',
    without: '"until" is null',
    shownBy: ['server/account/webhook/webhook.contract.test.ts', 'signs by the former secret for a day beside the new one'],
  },
  {
    against: 'a receiver that never answers',
    file: 'server/account/webhook/post-message.ts',
    text: 'withTimeLimit(post, (signal) => call',
    without: 'withTimeLimit({ ...post, timeoutMs: 600_000 }, (signal) => call',
    shownBy: [
      'server/account/webhook/webhook-delivery.contract.test.ts',
      'is over after its time when no answer comes, and leaves those of other receivers alone',
    ],
  },
  {
    against: 'an own file for another person',
    file: 'server/account/user-routes.ts',
    text: "    if (request.caller?.userId !== id) throw problem('forbidden')\n    const data",
    without: '    const data',
    shownBy: [
      'server/account/own-data.contract.test.ts',
      'is given to nobody else, noted in the audit log, and five times an hour',
    ],
  },
  {
    against: 'an address that is changed without the password',
    file: 'server/account/user-routes.ts',
    text: 'if (!(await passwordsOf(context).verify(passwordHash, password))) throw wrongPassword()',
    without: 'await passwordsOf(context).verify(passwordHash, password)',
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'needs the password, mails the new address and tells the old one',
    ],
  },
  {
    against: 'a change of address that says who has it',
    file: 'server/account/user-routes.ts',
    text: '  const isTaken = (await personByEmail(work.db, wanted)) !== undefined\n',
    without:
      "  const isTaken = (await personByEmail(work.db, wanted)) !== undefined\n  if (isTaken) throw problem('duplicate')\n",
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'says nothing of who has an address, counts what it was asked, and tells the one who has it',
    ],
  },
  {
    against: 'two new passwords by the one before',
    file: 'server/account/user-routes.ts',
    text: '        if (!(await hasSamePassword(work.db, person))) throw wrongPassword()\n        await replacePassword',
    without: '        await replacePassword',
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'is for one of two who know the same password, when both were heard before either was done',
    ],
  },
  {
    against: 'letters for a new password without end',
    file: 'server/account/restore-password.ts',
    text: '  const { waitS } = await takeAttempt(db, [limits.restoreAgain(email), limits.restoreTarget(email)], now)\n  if (waitS > 0) return\n',
    without: '',
    shownBy: [
      'server/account/user-password.contract.test.ts',
      'answers alike for known and unknown addresses and mails only the known, once in two minutes',
    ],
  },
  {
    against: 'a letter for a new password to a locked account',
    file: 'server/account/restore-password.ts',
    text: '  if (!person?.isComplete || person.lockedAt || person.deletedAt) return\n',
    without: '  if (!person) return\n',
    shownBy: ['server/account/user-password.contract.test.ts', 'mails nothing to invited, locked and deleted accounts'],
  },
  {
    against: 'kept answers that name an erased person',
    file: 'server/account/erasure/erase-references.ts',
    text: "c.column_name in ('userId', 'actorId')",
    without: "c.column_name in ('actorId')",
    shownBy: [
      'server/account/user-privacy.contract.test.ts',
      'erases a deleted user when his month is over, and leaves his systems without an owner',
    ],
  },
  {
    against: 'a log that names an erased person',
    file: 'server/account/erasure/user-purge.ts',
    text: "  await eraseFromAudit(db, { id, email, names, shownAs, about: idsOf('deleted') }, idsOf('updated'))\n",
    without: '',
    shownBy: [
      'server/account/user-privacy.contract.test.ts',
      'leaves neither address nor name, phone or network address of an erased person in any table',
    ],
  },
  {
    against: 'contact data that is read without a trace',
    file: 'server/engine/routes/logged-reads.ts',
    text: '  if (!resource.logsReads || record.id === userId) return\n',
    without: '  if (resource.name) return\n',
    shownBy: [
      'server/account/user-privacy.contract.test.ts',
      'notes who has read the contact data of another person, once an hour',
    ],
  },
  {
    against: 'addresses of colleagues and admins that engineers read',
    file: 'server/account/client-contacts.ts',
    text: 'else "t"."id" <> ${userId} end',
    without: 'else false end',
    shownBy: [
      'server/fleet/warning/assignees.contract.test.ts',
      'are named to a service engineer, whose own address alone is told',
    ],
  },
  {
    against: 'contact data that engineers find',
    file: 'server/account/client-contacts.ts',
    text: "if (role !== 'service_engineer') return undefined",
    without: "if (role !== 'service_engineer' || role) return undefined",
    shownBy: [
      'server/account/user-privacy.contract.test.ts',
      'is named with a masked address wherever another record names him',
    ],
  },
]
