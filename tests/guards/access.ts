import type { Guard } from './guard.ts'

/** Access rights. */
export const access: readonly Guard[] = [
  {
    against: 'a record of others that is told apart from a missing one',
    file: 'server/engine/records/row-access.ts',
    text: "throw problem(seesNothing(rowAccessOf(catalog, { ...asked, verb: 'show' })) ? 'not-found' : 'forbidden')",
    without: "throw problem('forbidden')",
    shownBy: [
      'server/engine/records/records-access.contract.test.ts',
      'lets everybody read his own row and write what is his, and tells nobody else that it is there',
    ],
  },
  {
    against: 'fields that a role may not read',
    file: 'server/engine/records/presenter.ts',
    text: 'hiddenParts(field, role).reduce(without, seenIn(record, name))',
    without: 'seenIn(record, name)',
    shownBy: ['server/engine/records/records-update.contract.test.ts', 'keeps the parts of a group that a role may not see'],
  },
  {
    against: 'a hidden field that is sorted by',
    file: 'server/engine/records/visible-fields.ts',
    text: 'mayReadPath(resource, role, path)',
    without: '(mayReadPath(resource, role, path) || true)',
    shownBy: ['server/engine/records/records-list.contract.test.ts', 'refuses %s as %s'],
  },
  {
    against: 'a reference that tells of a record that the caller may not see',
    file: 'server/engine/sql/row-access-sql.ts',
    text: "if (!caller || isJudging) return 'all'",
    without: "if (!caller || caller) return 'all'",
    shownBy: [
      'server/engine/records/unseen-references.contract.test.ts',
      'tell the id alone, in lists and records, in groups and among several',
    ],
  },
  {
    against: 'a record whose permit says no',
    file: 'server/engine/records/row-access.ts',
    text: "  throw problem('not-permitted', { values: { title: nameOf(first.resource, record) } })\n",
    without: '',
    shownBy: [
      'server/engine/records/definition-facts.contract.test.ts',
      'is neither changed, deleted nor acted on, and stays as it is',
    ],
  },
  {
    against: 'a state that follows any other',
    file: 'server/engine/records/update-record.ts',
    text: "    throw problem('transition', {\n",
    without: "    if (name === to) throw problem('transition', {\n",
    shownBy: ['server/engine/records/records-update.contract.test.ts', 'follows the states of the definition'],
  },
  {
    against: 'an action that writes a closed field',
    file: 'server/engine/actions/action-values.ts',
    text: "  if (faults.length > 0) throw problem('field-forbidden', { faults })\n",
    without: '',
    shownBy: ['server/engine/records/action-access.contract.test.ts', 'does not write it, and says so like an edit'],
  },
  {
    against: 'an action that writes a closed field by another name',
    file: 'server/engine/actions/action-values.ts',
    text: '!isFormValue(value) || !isClosed(action, fields, name, context.user.role)',
    without: 'true',
    shownBy: ['server/engine/records/action-access.contract.test.ts', 'does not write it by another name'],
  },
  {
    against: 'a record that others refer to and that goes',
    file: 'server/engine/records/delete-record.ts',
    text: "    if (uses) throw problem('in-use', { ...uses, values: { instead: insteadOf(resource) } })\n",
    without: '',
    shownBy: [
      'server/engine/records/records-access.contract.test.ts',
      'is gone, unless others refer to it or the version is stale',
    ],
  },
  {
    against: 'a change without its entry',
    file: 'server/engine/records/work.ts',
    text: 'audit: (entry) => addAudit(db, { ...line, ...entry }),',
    without:
      'audit: async (entry) => void (await sql`savepoint "entry"`.execute(db), await addAudit(db, { ...line, ...entry }).catch(() => sql`rollback to savepoint "entry"`.execute(db))),',
    shownBy: ['server/engine/audit-log.contract.test.ts', 'undoes a change whose entry can not be written'],
  },
  {
    against: 'events of records that the caller may not see',
    file: 'server/account/live/live-readers.ts',
    text: 'if (!resource || !readers.get(event.resource)?.has(caller.role)) return false',
    without: 'if (!resource) return false',
    shownBy: [
      'server/account/live/live.contract.test.ts',
      'tells each role what it may read, and clients and installers only what is for them',
    ],
  },
  {
    against: 'events of rows out of scope',
    file: 'server/account/live/live-readers.ts',
    text: 'return !!record && inScope(resource, record, ruleContext(caller, now))',
    without: 'return !!record',
    shownBy: ['server/account/live/live.contract.test.ts', 'keeps to the rows of a role where it has a scope'],
  },
  {
    against: 'places in the stream that were never given',
    file: 'server/account/live/live-hub.ts',
    text: '    if (comparePositions(asked, to) > 0) return false\n',
    without: '',
    shownBy: [
      'server/account/live/live.contract.test.ts',
      'answers junk, the future and long ago with a reset and nothing of others',
    ],
  },
  {
    against: 'a route that is open to roles without access',
    file: 'server/engine/http/access.ts',
    text: "if (access !== 'user' && !access.includes(request.caller.role)) throw problem('forbidden')",
    without: '',
    shownBy: ['server/app/role-matrix.contract.test.ts', 'lets the %s in exactly where the table says'],
  },
  {
    against: 'a body that is read before its sender is known',
    file: 'server/engine/http/access.ts',
    text: 'route.onRequest = [guard, ...listOf(route.onRequest)]',
    without: 'route.preHandler = [guard, ...listOf(route.preHandler)] as never',
    shownBy: ['server/app/access.test.ts', 'is asked before the body is read'],
  },
  {
    against: 'a job that runs twice',
    file: 'server/db/jobs/lease.ts',
    text: '\n          where "lease"."holder" = excluded."holder" or not (${isHeld}) returning',
    without: ' returning',
    shownBy: [
      'server/db/jobs.contract.test.ts',
      'gives the lease to one, renews it, and to another when it was let go or has run out',
    ],
  },
  {
    against: 'a lease that was taken while the clock was ahead',
    file: 'server/db/jobs/lease.ts',
    text: ` and clock_timestamp() + interval '1 minute'\``,
    without: ` and 'infinity'\``,
    shownBy: [
      'server/db/jobs.contract.test.ts',
      'takes a lease that ends in days: its holder died while the clock was ahead, and boards are judged from now on',
    ],
  },
  {
    against: 'a page below a forbidden one',
    file: 'providers/access-control.ts',
    text: "    if (parent && !isAllowed(permissions, parent, 'show')) return denied\n",
    without: '',
    shownBy: ['providers/access-control.test.ts', 'blocks a child when its parent is blocked'],
  },
  {
    against: 'counts of lists that a role may not open',
    file: 'server/fleet/dashboard/menu-counts.ts',
    text: ".filter((resource) => rolesFor(resource, 'list').includes(caller.role))",
    without: '',
    shownBy: [
      'server/fleet/dashboard/menu-counts.contract.test.ts',
      'are of the lists that a role may open, and the inbox of an engineer is of what he serves',
    ],
  },
  {
    against: 'the id of who changed a record of a client, told to the client',
    file: 'server/engine/sql/seen-sql.ts',
    text: 'if (!target || !hidesIds(target, ruleFields)) return undefined',
    without: 'if (target || !target) return undefined',
    shownBy: [
      'server/app/outsiders.contract.test.ts',
      'are told no more by the changes of their own record, and still who they are themselves',
    ],
  },
  {
    against: 'ids that are found by a filter and not told',
    file: 'server/engine/sql/filter-and-order.ts',
    text: 'undefined, seenFields(source))',
    without: 'undefined, ruleFields(source))',
    shownBy: [
      'server/engine/records/unseen-ids.contract.test.ts',
      'are found by no filter: a reference without an id is as if it were empty',
    ],
  },
  {
    against: 'the invitation of a former client who is a moderator now',
    file: 'server/account/invitation.ts',
    text: `(select u."role" from "user" u where u."id" = "t"."userId")`,
    without: `"t"."role"`,
    shownBy: ['server/account/invitation-access.contract.test.ts', 'follow the role that the invited person has now'],
  },
  {
    against: 'lists of contact data that leave no trace',
    file: 'server/engine/audit/logged-lists.ts',
    text: 'if (list.rows > 0 && mayTellContacts(list)) shownLists.set(request, list)',
    without: '',
    shownBy: [
      'server/engine/logged-lists.contract.test.ts',
      'leaves one entry that says of what, by which filter, and how many',
    ],
  },
  {
    against: 'lists that name people by their address and leave no trace',
    file: 'server/engine/audit/shown-contacts.ts',
    text: 'if (names.length > 0) found.summaries.push({ key: summaryKey(name), names })',
    without: '',
    shownBy: [
      'server/engine/logged-lists.contract.test.ts',
      'is noted where a row names a person with an address, also inside a group',
    ],
  },
  {
    against: 'a letter with a working link that is read by a session that lies open',
    file: 'server/filling/outbox-routes.ts',
    text: '        await freshCaller(engine, work)\n',
    without: '',
    shownBy: [
      'server/filling/filling.contract.test.ts',
      'asks for a fresh confirmation before it gives out a letter, whose link works',
    ],
  },
  {
    against: 'an erased person in a group or list of a record',
    file: 'server/account/erasure/erase-references.ts',
    text: 'for (const column of nested)',
    without: 'for (const column of [] as StoredColumn[])',
    shownBy: [
      'server/account/user-erasure.contract.test.ts',
      'is named by no table and no file, and by id in the audit log alone',
    ],
  },
]
