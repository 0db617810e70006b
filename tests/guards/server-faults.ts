import type { Guard } from './guard.ts'

/** Faults of callers, starts and ends: one caller holds up nobody, and a server ends in time. */
export const serverFaults: readonly Guard[] = [
  {
    against: 'an upload whose sender goes',
    file: 'server/engine/files/receive-file.ts',
    text: "for (const stream of [raw, guard, parser]) stream.on('error', refuse)\n    raw.on('close', () => raw.readableEnded || refuse())\n",
    without: "for (const stream of [guard, parser]) stream.on('error', refuse)\n",
    shownBy: [
      'server/engine/files/receive-file.test.ts',
      'an upload whose sender goes is given up, and nothing of it is handed on',
    ],
  },
  {
    against: 'an upload over a slow line that is cut off',
    file: 'server/engine/http/slow-body.ts',
    text: 'const nextS = bodyTimeoutS + earnedS()',
    without: 'const nextS = bodyTimeoutS',
    shownBy: ['server/engine/http/slow-body.test.ts', 'of an upload has time as long as 8 KiB a second arrive'],
  },
  {
    against: 'bodies that come drop by drop',
    file: 'server/engine/http/slow-body.ts',
    text: 'if (nextS < limitS + 1) refuse(request, reply)',
    without: 'if (nextS < limitS + 1) return',
    shownBy: ['server/engine/http/slow-body.test.ts', 'is cut off after 30 s'],
  },
  {
    against: 'heads that come drop by drop',
    file: 'server/app/app.ts',
    text: '    ...serverTimeouts,\n',
    without: '',
    shownBy: [
      'server/engine/http/slow-body.test.ts',
      'heads that come drop by drop are cut off by Node: after 30 s, and requests after 35 minutes',
    ],
  },
  {
    against: 'streams of one person without number',
    file: 'server/account/live/stream-places.ts',
    text: "if (!(await this.#isFree(id, userId))) throw problem('too-many', { retryAfterS: 10 })",
    without: 'await this.#isFree(id, userId)',
    shownBy: ['server/account/live/live-limits.contract.test.ts', 'has ten streams for one user and refuses the next'],
  },
  {
    against: 'streams of one person in every process',
    file: 'server/account/live/stream-places.ts',
    text: '    if (this.#isShared) return this.#insert(id, userId)\n',
    without: '',
    shownBy: [
      'server/app/two-servers.contract.test.ts',
      'has ten streams for one person over both, however many are asked for at once',
    ],
  },
  {
    against: 'places of streams that a killed process has taken',
    file: 'server/account/live/stream-places.ts',
    text: ' and ${isHeld}',
    without: '',
    shownBy: [
      'server/app/killed-streams.contract.test.ts',
      'are ten for one person, of which those of a killed process are free within 30 s and those of an ended one at once',
    ],
  },
  {
    against: 'streams of readers who have left before they began',
    file: 'server/account/live/live-stream.ts',
    text: '    this.#closed = response.destroyed\n',
    without: '',
    shownBy: [
      'server/account/live/live-limits.contract.test.ts',
      'keeps no place for a reader who has left before his stream began',
    ],
  },
  {
    against: 'a thousand streams of which one is left behind',
    file: 'server/account/live/live-hub.ts',
    text: '    stream.onClose(() => this.#streams.delete(stream))\n',
    without: '',
    shownBy: [
      'server/account/live/live-crowd.contract.test.ts',
      'are all open, hear of a change within seconds, hold up no page, and leave nothing behind',
    ],
  },
  {
    against: 'an import that goes on while the server ends',
    file: 'server/filling/import-in-batches.ts',
    text: "      if (this.#asked.signal.aborted) throw fillingProblem('import.interrupted')\n",
    without: '',
    shownBy: [
      'server/app/ended-server.contract.test.ts',
      'ends well within 25 s whatever runs: streams, exports, uploads, imports',
    ],
  },
  {
    against: 'pages that all come back at one moment',
    file: 'providers/live/event-stream.ts',
    text: 'retryAfterMs + backOffMs * jitter()',
    without: 'Math.max(retryAfterMs, backOffMs)',
    shownBy: [
      'providers/live/event-stream.test.ts',
      'of many pages come back one after the other when the server asks all of them for the same wait',
    ],
  },
  {
    against: 'readers who do not read',
    file: 'server/account/live/live-hub.ts',
    text: 'for (const stream of this.#streams) if (stream.blockedMs > this.#limits.slowMs) stream.end()',
    without: '',
    shownBy: [
      'server/account/live/live-limits.contract.test.ts',
      'drops a reader who does not read, and serves the others meanwhile',
    ],
  },
  {
    against: 'an export that is held in memory',
    file: 'server/fleet/telemetry/export-samples.ts',
    text: 'order by "ts" limit ${atOnce}`',
    without: 'order by "ts"`',
    shownBy: [
      'server/fleet/telemetry/telemetry-export.contract.test.ts',
      'holds no more in memory for all of it than for a page',
    ],
  },
  {
    against: 'a list without an end',
    file: 'src/schema/list-query.ts',
    text: ' &&\n    end - start <= maxRows',
    without: '',
    shownBy: ['server/engine/records/records-list.contract.test.ts', 'refuses %s as %s'],
  },
  {
    against: 'a server that is behind and takes on more',
    file: 'server/engine/http/load-shedding.ts',
    text: "      throw problem('unavailable', { retryAfterS: peopleWaitS })\n",
    without: '',
    shownBy: ['server/engine/http/load-shedding.test.ts', 'a server that is short of memory refuses calls, too'],
  },
  {
    against: 'an end that waits for what never ends',
    file: 'server/app/serve.ts',
    text: 'Promise.race([close(), giveUp(withinMs, done.signal)])',
    without: 'close()',
    shownBy: [
      'server/app/serve.contract.test.ts',
      'gives up waiting for what does not end, so that the process can be left in time',
    ],
  },
  {
    against: 'an end that waits for uploads and streams',
    file: 'server/app/serve.ts',
    text: 'setTimeout(() => app.server.closeAllConnections(), endWithinMs)',
    without: 'setTimeout(() => app, endWithinMs)',
    shownBy: [
      'server/app/ended-server.contract.test.ts',
      'ends well within 25 s whatever runs: streams, exports, uploads, imports',
    ],
  },
  {
    against: 'streams that outlive the server',
    file: 'server/account/live/live-hub.ts',
    text: '    this.#closed = true\n    for (const stream of this.#streams) stream.end()\n',
    without: '    this.#closed = true\n',
    shownBy: ['server/account/live/live-limits.contract.test.ts', 'ends its streams when the server stops'],
  },
  {
    against: 'a port that is taken',
    file: 'server/app/try-out.ts',
    text: "  if (code === 'EADDRINUSE')\n",
    without: "  if (code === 'none')\n",
    shownBy: ['server/app/serve.contract.test.ts', 'says in one line that the port is taken, and lets the data folder go'],
  },
  {
    against: 'a migration before a start that fails',
    file: 'server/app/serve.ts',
    text: '    await tryOut(config)\n',
    without: '',
    shownBy: [
      'server/app/serve.contract.test.ts',
      'migrates nothing where it could not go on: with a port that is taken, or a key file that can not be read',
    ],
  },
  {
    against: 'processes that start together and make the first admin twice',
    file: 'server/account/first-admin-part.ts',
    text: ' on conflict do nothing',
    without: '',
    shownBy: ['server/app/started-together.contract.test.ts', 'make one first admin'],
  },
  {
    against: 'a failed start that keeps the data folder',
    file: 'server/app/serve.ts',
    text: '    await app?.close()\n    clock?.stop()\n    await database.close()\n    throw error',
    without: '    await app?.close()\n    clock?.stop()\n    throw error',
    shownBy: ['server/app/serve.contract.test.ts', 'says in one line that the port is taken, and lets the data folder go'],
  },
  {
    against: 'data of a newer release',
    file: 'server/db/migrate.ts',
    text: 'if (later.length > 0)',
    without: 'if (later.length < 0)',
    shownBy: [
      'server/app/older-release.contract.test.ts',
      'is refused by a release that is older than it, in a plain sentence, and stays as it is',
    ],
  },
  {
    against: 'a change of the tables that stops half way',
    file: 'server/db/transaction.ts',
    text: '    await client.query(begin)\n',
    without: '',
    shownBy: ['server/db/database.contract.test.ts', 'leaves nothing behind of a step that fails'],
  },
  {
    against: 'settings that are wrong',
    file: 'server/base/config.ts',
    text: '    ...issues.map(',
    without: '    ...issues.slice(1).map(',
    shownBy: ['server/base/config.test.ts', 'name every fault in one go'],
  },
  {
    against: 'a mistake that nobody catches and that ends all calls',
    file: 'server/main.ts',
    text: "process.on('unhandledRejection',",
    without: "process.on('warning',",
    shownBy: ['server/app/loose-rejection.contract.test.ts', 'fails without ending the process, and the log has it'],
  },
  {
    against: 'a notice that a slow reader never gets',
    file: 'server/account/live/live-stream.ts',
    text: 'return this.write(event.bytes) && isRoom',
    without: 'return isRoom && this.write(event.bytes)',
    shownBy: [
      'server/account/live/live-stream.test.ts',
      'writes a notice also when the merged message before it has filled the buffer',
    ],
  },
  {
    against: 'an undo that another call has ended',
    file: 'server/filling/undo/undo-job.ts',
    text: '  if (job.undoneAt && isBegun) return true\n',
    without: '',
    shownBy: [
      'server/filling/import-batches.contract.test.ts',
      'is undone by two calls at once, one of which sees that the other has ended it',
    ],
  },
]
