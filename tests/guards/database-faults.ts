import type { Guard } from './guard.ts'

/** Faults of databases and disks: nothing that was acknowledged is lost, and nothing waits for ever. */
export const databaseFaults: readonly Guard[] = [
  {
    against: 'a cut connection that ends the process',
    file: 'server/db/connect.ts',
    text: "  pool.on('connect', (client) => client.on('error', onError))\n",
    without: '',
    shownBy: [
      'server/db/cut-connections.contract.test.ts',
      'that ends its connections is away for a moment: no process ends, nothing is half written, and the next call is served',
    ],
  },
  {
    against: 'a cut connection that is told as a fault',
    file: 'server/db/database-problem.ts',
    text: '(08|53|57P0|25006)',
    without: '(08|53|25006)',
    shownBy: [
      'server/db/cut-connections.contract.test.ts',
      'that ends its connections is away for a moment: no process ends, nothing is half written, and the next call is served',
    ],
  },
  {
    against: 'events of another cluster, which a restore brings',
    file: 'server/account/live/event-store.ts',
    text: ' or ${isAhead(sql`"xid"`)}',
    without: '',
    shownBy: [
      'server/account/live/restored-events.contract.test.ts',
      'are told to nobody, also when the cluster has counted up to them',
    ],
  },
  {
    against: 'a place in the events of another cluster',
    file: 'server/account/live/live-hub.ts',
    text: 'if (this.#isReady && !(await isReached(',
    without: 'if (this.#closed && !(await isReached(',
    shownBy: [
      'server/account/live/restored-events.contract.test.ts',
      'hide nothing from the streams of a server that goes on with the restored database',
    ],
  },
  {
    against: 'a database host that vanishes and holds every call',
    file: 'server/db/connect.ts',
    text: "  pool.on('connect', (client) => watch.add(client))\n",
    without: '',
    shownBy: ['server/db/silent-server.contract.test.ts', 'costs seconds, is told as such, and is forgotten when it is back'],
  },
  {
    against: 'a database host that is back and whose lost answers are waited for',
    file: 'server/db/connection-watchdog.ts',
    text: 'if (watched.doubts >= mostDoubts) this.#cut(',
    without: 'if (watched.doubts < 0) this.#cut(',
    shownBy: ['server/app/two-processes.contract.test.ts', 'are back within five seconds of a database host that was silent'],
  },
  {
    against: 'a database that ended a connection while its host was silent',
    file: 'server/db/connection-watchdog.ts',
    text: "states.get(watched.pid)?.startsWith('idle') ?? true",
    without: "states.get(watched.pid)?.startsWith('idle') ?? false",
    shownBy: [
      'server/db/silent-server.contract.test.ts',
      'costs seconds when it has ended the connection meanwhile, as it does with an idle transaction',
    ],
  },
  {
    against: 'statements cut behind a pooler',
    file: 'server/db/connection-watchdog.ts',
    text: 'if (!this.#isDirect || this.#isProbing',
    without: 'if (this.#isProbing',
    shownBy: [
      'server/db/silent-server.contract.test.ts',
      'is not taken for one behind a pooler, which names processes of its own',
    ],
  },
  {
    against: 'a readiness that waits as long as the database',
    file: 'server/engine/http/health.ts',
    text: 'await orWhenLate(isReady(), readyWithinMs, false)',
    without: 'await orWhenLate(isReady(), 60_000, false)',
    shownBy: ['server/db/silent-server.contract.test.ts', 'is not ready within two seconds'],
  },
  {
    against: 'a lock of another session that is waited for without end',
    file: 'server/db/connect.ts',
    text: '    lock_timeout: lockTimeoutMs,\n',
    without: '',
    shownBy: [
      'server/db/cut-connections.contract.test.ts',
      'whose table another person has locked is waited for five seconds, and other tables answer meanwhile',
    ],
  },
  {
    against: 'a long statement of the embedded engine that stops everything',
    file: 'server/db/pglite-engine.ts',
    text: 'const timer = setTimeout(() => restart(overdue), statementTimeoutMs)',
    without: 'const timer = setTimeout(() => overdue, statementTimeoutMs)',
    shownBy: ['server/db/database.contract.test.ts', 'gives up on a statement that takes too long, and goes on'],
  },
  {
    against: 'a long statement of a server',
    file: 'server/db/connect.ts',
    text: '    statement_timeout: limits.statementTimeoutMs,\n',
    without: '',
    shownBy: ['server/db/database.contract.test.ts', 'gives up on a statement that takes too long, and goes on'],
  },
  {
    against: 'a commit that is not on the disk',
    file: 'server/db/pglite-worker.mjs',
    text: 'if (stream.nfd != null) fsyncSync(stream.nfd)',
    without: '',
    shownBy: [
      'server/db/synced-commits.contract.test.ts',
      'a commit of the embedded database is on the disk when it is answered',
    ],
  },
  {
    against: 'a second process on the data folder',
    file: 'server/db/lock-file.ts',
    text: 'if (found?.holder && isAlive(found.holder, path)) {',
    without: 'if (found?.holder && isAlive(found.holder, path) && false) {',
    shownBy: ['server/db/embedded-database.contract.test.ts', 'is refused to a second process, which is told whose it is'],
  },
  {
    against: 'a lock that two take at the same moment',
    file: 'server/db/lock-file.ts',
    text: 'await link(mine, path).then(\n      () => true,\n      () => false,\n    )\n    await unlink(mine)\n',
    without: 'await writeFile(path, text).then(() => true)\n    await unlink(mine).catch(() => undefined)\n',
    shownBy: ['server/db/lock-file.test.ts', 'goes to exactly one of many who come together'],
  },
  {
    against: 'a process of another container taken for a dead one',
    file: 'server/db/lock-file.ts',
    text: 'if (holder.host !== hostname() || holder.space !== spaceOfPids()) return',
    without: 'if (holder.host !== hostname()) return',
    shownBy: [
      'server/db/lock-file.test.ts',
      'does not take a process of another container for one of its own, though host name and pid are the same',
    ],
  },
  {
    against: 'half a database that is started on, or wiped',
    file: 'server/db/database-folder.ts',
    text: 'if (files.length === 0 || missing.length === 0) return files.length === 0',
    without: 'if (missing.length >= 0) return missing.length > 0',
    shownBy: ['server/db/embedded-database.contract.test.ts', 'leaves a folder alone that is not a complete database'],
  },
  {
    against: 'a full disk',
    file: 'server/engine/http/disk-space.ts',
    text: "throw problem('disk-full')",
    without: 'return',
    shownBy: [
      'server/engine/disk-space.test.ts',
      'takes no file and no frame under the embedded database, and says why, in the language of the caller',
    ],
  },
  {
    against: 'a session in pieces after a full disk, for good',
    file: 'server/db/wire-messages.ts',
    text: "if (severity === 'PANIC' || severity === 'FATAL') return",
    without: "if (severity === 'FATAL') return",
    shownBy: [
      'server/db/embedded-database.contract.test.ts',
      'refuses what has no room, and serves again as soon as there is some',
    ],
  },
  {
    against: 'a start on a full disk that hangs',
    file: 'server/db/pglite-engine.ts',
    text: 'Promise.race([started, ended, overdue])',
    without: 'Promise.race([started, ended])',
    shownBy: [
      'server/db/embedded-database.contract.test.ts',
      'says how long a first start took that is given up, and leaves nothing in the way of the next one',
    ],
  },
  {
    against: 'uploads that nobody needs and nobody removes',
    file: 'server/engine/files/remove-unused-files.ts',
    text: '(${archivedIds}) limit ${batch})',
    without: '(${archivedIds}) and false limit ${batch})',
    shownBy: ['server/engine/files/files.contract.test.ts', 'that no record names are removed after a day, and no others'],
  },
  {
    against: 'files of archived values that the clean-up takes for unused uploads',
    file: 'server/engine/files/remove-unused-files.ts',
    text: '          and "f"."id" not in (${archivedIds}) limit',
    without: '          limit',
    shownBy: [
      'server/engine/changes/archived-files.contract.test.ts',
      'outlives the clean-up of unused uploads, and goes with the purge at once',
    ],
  },
  {
    against: 'a call that waits for a connection without end',
    file: 'server/db/connect.ts',
    text: ' connectionTimeoutMillis: connectTimeoutMs,',
    without: '',
    shownBy: [
      'server/db/cut-connections.contract.test.ts',
      'whose connections are all in use refuses a call after ten seconds, and serves the next one',
    ],
  },
  {
    against: 'a greeting that a silent host does not answer',
    file: 'server/db/database-problem.ts',
    text: '^timeout expired$|',
    without: '',
    shownBy: ['server/db/silent-server.contract.test.ts', 'costs seconds, is told as such, and is forgotten when it is back'],
  },
  {
    against: 'an embedded database that other accounts of the machine read and change',
    file: 'server/db/connect.ts',
    text: '    await closeToOthers(folder)\n',
    without: '',
    shownBy: [
      'server/db/embedded-database.contract.test.ts',
      'is closed to other accounts of the machine, also where an older server left it open',
    ],
  },
  {
    against: 'files of root in an embedded database of another account',
    file: 'server/db/connect.ts',
    text: '    if (!isNew) await refuseRoot(folder, lock.path)\n',
    without: '',
    shownBy: [
      'server/db/embedded-database.contract.test.ts',
      'is opened by the account alone that it belongs to, so that root leaves no files in it',
    ],
  },
]
