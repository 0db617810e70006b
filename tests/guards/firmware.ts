import type { Guard } from './guard.ts'

/** Images of firmware. */
export const firmware: readonly Guard[] = [
  {
    against: 'a changed byte of an image',
    file: 'server/fleet/firmware/firmware-file.ts',
    text: '  if (!facts.isIntact || (facts.isMarked && !isVerified)) {\n',
    without: '  if (!facts) {\n',
    shownBy: [
      'server/fleet/firmware/firmware.contract.test.ts',
      'and a release are refused when one byte has changed in the store',
    ],
  },
  {
    against: 'a damaged image that is offered',
    file: 'server/fleet/firmware/firmware-offers.ts',
    text: ' and ${hasSoundFile}`.execute',
    without: '`.execute',
    shownBy: [
      'server/fleet/firmware/firmware-damage.contract.test.ts',
      'is offered no longer once that is found, nor can it be asked for; the audit log says so once',
    ],
  },
  {
    against: 'one version with two images',
    file: 'server/fleet/firmware/firmware-routes.ts',
    text: "  if (taken) throw fleetProblem('firmware.version-taken', { values: { firmwareVersion: header.firmwareVersion } })\n",
    without: '',
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'is kept with its digest, as one file of one version'],
  },
  {
    against: 'an upload that is sent again',
    file: 'server/fleet/firmware/firmware-routes.ts',
    text: 'onlyOnce(work, { request, content: [upload.name, upload.sha256] }, async () => ({',
    without: 'onlyOnce(work, { request, content: uuidv7() }, async () => ({',
    shownBy: [
      'server/fleet/firmware/firmware.contract.test.ts',
      'is one record for one Idempotency-Key, and its answer is given again',
    ],
  },
  {
    against: 'a file above the limit',
    file: 'server/engine/files/receive-file.ts',
    text: '    if (file.truncated) throw tooLarge()\n',
    without: '',
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'is refused above 16 MiB, and as JSON'],
  },
  {
    against: 'an upload with other parts',
    file: 'server/engine/files/receive-file.ts',
    text: "    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, refuse)\n",
    without: '',
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'is refused with %s, and leaves nothing'],
  },
  {
    against: 'names that climb and scripts that run',
    file: 'server/engine/files/receive-file.ts',
    text: ".replace(/[\\p{Cc}\\p{Cf}<>|*?:]/gu, '')",
    without: '',
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'keeps a name as a label only: %s'],
  },
  {
    against: 'a download of anyone who asks',
    file: 'server/fleet/firmware/firmware-routes.ts',
    text: "access: fleetStaff, audit: { action: 'read'",
    without: "access: 'user', audit: { action: 'read'",
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'is for the staff'],
  },
  {
    against: 'a status that leads anywhere',
    file: 'server/fleet/firmware/firmware.ts',
    text: 'if (!allowed.includes(status)) {',
    without: 'if (!allowed.includes(status) && status === id) {',
    shownBy: ['server/fleet/firmware/firmware.contract.test.ts', 'leads where the table says and nowhere else'],
  },
  {
    against: 'a firmware for other hardware',
    file: 'server/fleet/firmware/firmware-offers.ts',
    text: '"product" = ${board.product} and "hardwareRevisions" ? ${board.hardwareRevision}`',
    without: '"product" = ${board.product}`',
    shownBy: [
      'server/fleet/firmware/firmware.contract.test.ts',
      'offers a board what is released, fits its hardware and may follow what it runs',
    ],
  },
  {
    against: 'a release by one person',
    file: 'server/fleet/firmware/second-person.ts',
    text: "  if (own) throw imageProblem('firmware.second-person')\n",
    without: '',
    shownBy: [
      'server/fleet/firmware/second-person.contract.test.ts',
      'is refused to who has uploaded the image, with the reason in both languages, and open to another admin',
    ],
  },
  {
    against: 'a firmware that goes while a person waits for it',
    file: 'server/fleet/firmware/firmware.ts',
    text: "    if (requested > 0) throw fleetProblem('firmware.has-updates', { values: { count: requested } })\n",
    without: '',
    shownBy: [
      'server/fleet/firmware/updates/update-requests.contract.test.ts',
      'keep their firmware from being deleted, open or ended',
    ],
  },
]
