import type { Guard } from './guard.ts'

/** Systems, their people and configurations, and the keys of boards. */
export const fleet: readonly Guard[] = [
  {
    against: 'rights by a relation of a former role',
    file: 'server/fleet/shared/ess-relations.ts',
    text: 'names.filter((name) => essRelations[name].role === role),',
    without: 'names.filter((name) => essRelations[name].role),',
    shownBy: ['server/fleet/ess/relations-of-role.contract.test.ts', 'open nothing with another role: %s'],
  },
  {
    against: 'relations that outlive the role',
    file: 'server/account/role/change-role.ts',
    text: '  for (const handler of handlers) await handler(change, work)\n',
    without: '',
    shownBy: [
      'server/fleet/ess/relations-of-role.contract.test.ts',
      'end with the role that they are for, with their invitations, and do not come back: %s',
    ],
  },
  {
    against: 'an invitation that is taken with another role',
    file: 'server/fleet/ess/ess-people.ts',
    text: "    if (!holder) throw problem('link.dead')\n",
    without: '',
    shownBy: [
      'server/fleet/ess/relations-of-role.contract.test.ts',
      'are not accepted by a person who got another role meanwhile',
    ],
  },
  {
    against: 'the end of an escalation told to whoever was of the staff',
    file: 'server/fleet/warning/escalate.ts',
    text: '"u"."id" = "d"."userId" and ${mayBeTold}',
    without: '"u"."id" = "d"."userId" and ${isReachable}',
    shownBy: ['server/fleet/warning/escalation.contract.test.ts', 'tells nobody of its end who has another role by then'],
  },
  {
    against: 'a guest who is no client or can not sign in',
    file: 'server/fleet/ess/ess-people.ts',
    text: 'person.role !== kind.role || person.lockedAt || person.deletedAt',
    without: 'person.id === null',
    shownBy: ['server/fleet/ess/relations.contract.test.ts', 'is for clients who can sign in, and for nobody else'],
  },
  {
    against: 'a person who is invited twice',
    file: 'server/fleet/ess/ess-people.ts',
    text: "  if (taken) throw fleetProblem('relation.exists')\n",
    without: '  if (taken) return\n',
    shownBy: [
      'server/fleet/ess/relations.contract.test.ts',
      'reaches a person once, also when it is sent ten times at the same moment',
    ],
  },
  {
    against: 'a guest who is removed by way of another system',
    file: 'server/fleet/ess/end-relations.ts',
    text: 'sql`and "essId" = ${essId}`',
    without: 'sql``',
    shownBy: ['server/fleet/ess/relations.contract.test.ts', 'nobody and no board is removed by way of another system'],
  },
  {
    against: 'a board that is removed by way of another system',
    file: 'server/fleet/ess/ess-boards.ts',
    text: 'where "id" = ${values.controlPcbId} and "essId" = ${id} returning',
    without: 'where "id" = ${values.controlPcbId} returning',
    shownBy: ['server/fleet/ess/relations.contract.test.ts', 'nobody and no board is removed by way of another system'],
  },
  {
    against: 'a board of two systems',
    file: 'server/fleet/ess/ess-boards.ts',
    text: "  if (essId) return fleetProblem('board.attached-elsewhere')\n",
    without: '',
    shownBy: ['server/fleet/ess/relations.contract.test.ts', 'belongs to one system, no matter who comes first'],
  },
  {
    against: 'measurements from before the system was his',
    file: 'server/fleet/ess/ess-people.ts',
    text: '{ ownerId: clientId, ownerSince: work.now }',
    without: '{ ownerId: clientId, ownerSince: new Date(0) }',
    shownBy: [
      'server/fleet/dashboard/client-dashboard.contract.test.ts',
      'hides from a new owner what was measured before the system was his, in figures, energy and times',
    ],
  },
  {
    against: 'an engineer at a site of others',
    file: 'server/fleet/shared/relations.ts',
    text: "  if (!isOwn) throw problem('not-assigned')\n",
    without: '  if (!isOwn) return\n',
    shownBy: ['server/fleet/ess/engineer-sites.contract.test.ts', 'at no site of others'],
  },
  {
    against: 'an engineer who may only read',
    file: 'server/fleet/shared/relations.ts',
    text: "(!write || row.scope === 'FULL')",
    without: '(!write || row.scope !== null)',
    shownBy: ['server/fleet/ess/engineer-sites.contract.test.ts', 'at no site that he may only read'],
  },
  {
    against: 'dangerous values by anybody of the staff',
    file: 'server/fleet/configuration/configuration-access.ts',
    text: "edit: null, danger: 'ROLE'",
    without: 'edit: null, danger: null',
    shownBy: [
      'server/fleet/configuration/configuration.contract.test.ts',
      'can hurt: such values are the admin’s, or an engineer’s during maintenance',
    ],
  },
  {
    against: 'dangerous values without maintenance',
    file: 'server/fleet/configuration/configuration-access.ts',
    text: "site.inMaintenance ? null : 'NO_MAINTENANCE'",
    without: 'site.inMaintenance ? null : null',
    shownBy: [
      'server/fleet/configuration/configuration.contract.test.ts',
      'can hurt: such values are the admin’s, or an engineer’s during maintenance',
    ],
  },
  {
    against: 'values out of range',
    file: 'server/fleet/configuration/configuration.ts',
    text: '    ...configurationFaults(desired, { limits, before: current.desired, now: work.now }, fields),\n',
    without: '',
    shownBy: ['server/fleet/configuration/configuration.contract.test.ts', 'takes no value %s'],
  },
  {
    against: 'guesses of keys',
    file: 'server/fleet/device/device-guard.ts',
    text: '      await allow(request, ofStranger)\n',
    without: '',
    shownBy: [
      'server/fleet/ingest/ingest-guard.contract.test.ts',
      'asks whose key it is before it reads a body, and lets a stranger try thirty times',
    ],
  },
  {
    against: 'a key that sends without end',
    file: 'server/fleet/device/device-guard.ts',
    text: '    await allow(request, ofBoard)\n',
    without: '',
    shownBy: ['server/fleet/ingest/ingest.contract.test.ts', 'is told to wait, and others are not'],
  },
  {
    against: 'the key of a retired board',
    file: 'server/fleet/ingest/known-keys.ts',
    text: '\n  and not exists (select 1 from "control_pcb" "b" where "b"."id" = "k"."controlPcbId" and "b"."lifecycle" = \'RETIRED\')`',
    without: '`',
    shownBy: ['server/fleet/ingest/ingest-guard.contract.test.ts', 'takes nothing by the key of a board that is retired'],
  },
  {
    against: 'a board that fills the disk',
    file: 'server/fleet/ingest/volume-limit.ts',
    text: 'const waitS = Math.max(0, ...waits)',
    without: 'const waitS = Math.min(0, ...waits)',
    shownBy: [
      'server/fleet/ingest/ingest-guard.contract.test.ts',
      'stores a backlog at once, and then no more of one board than a board has to say',
    ],
  },
  {
    against: 'an old key that works for ever',
    file: 'server/fleet/ingest/known-keys.ts',
    text: ' and "k"."oldUntil" > ${now})',
    without: ')',
    shownBy: [
      'server/fleet/device/device-key.contract.test.ts',
      'is changed by the board: both work until the new one is used, and the old one a day longer',
    ],
  },
  {
    against: 'keys of many boards by an open session',
    file: 'server/fleet/board/device-keys-route.ts',
    text: '        await freshCaller({ context }, work)\n',
    without: '',
    shownBy: [
      'server/fleet/board/device-keys.contract.test.ts',
      'are for admins who have confirmed who they are a short while ago',
    ],
  },
  {
    against: 'keys of some of the boards',
    file: 'server/fleet/board/device-keys-route.ts',
    text: "        if (missing > 0) throw fault('ids', notUsable, missing)\n",
    without: '',
    shownBy: [
      'server/fleet/board/device-keys.contract.test.ts',
      'are refused as a whole for a retired or an unknown board, for a fault of the filter, and for neither or both',
    ],
  },
  {
    against: 'a canceled update that is loaded',
    file: 'server/fleet/device/firmware-route.ts',
    text: "  if (update && canceled.has(update.status)) throw problem('gone')\n",
    without: '',
    shownBy: ['server/fleet/device/device-update.contract.test.ts', 'is gone once it is canceled, and nobody else can load it'],
  },
  {
    against: 'a frame of another board',
    file: 'server/frames/read-frame.ts',
    text: 'return actual === uid ? undefined : makeReason',
    without: 'return actual !== "" ? undefined : makeReason',
    shownBy: [
      'server/fleet/ingest/ingest-reports.contract.test.ts',
      "stores a frame with another uid as INVALID, and as no board's",
    ],
  },
]
