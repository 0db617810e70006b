import { minuteMs } from '#schema/format/durations.ts'
import type { Queryable } from '#server/db/query.ts'
import type { GroupCommit } from '#server/fleet/ingest/group-commit.ts'
import type { AskedKey } from '#server/fleet/ingest/ingest-guard.ts'
import type { Body, Ingested } from '#server/fleet/ingest/read-body.ts'
import { messageOf } from '#server/fleet/ingest/stream/body-message.ts'
import { type FrameStream, partitions } from '#server/fleet/ingest/stream/frame-stream.ts'
import { boardOfKey } from './device-tools.ts'

/** Takes a body of a board; once it answers, the body is kept. */
export type FrameIntake = (key: AskedKey, body: Body) => Promise<Ingested>

/** Keeps bodies in the database before it answers. */
export const directIntake =
  (commits: GroupCommit): FrameIntake =>
  (_, body) =>
    commits.store(body)

/** Boards by their keys, of the last minute: as long as a key is believed. */
class BoardsOfKeys {
  #known = new Map<string, string>()
  #since = Number.NEGATIVE_INFINITY

  async of(db: Queryable, key: AskedKey): Promise<string> {
    const now = performance.now()
    if (now - this.#since > minuteMs) {
      this.#known = new Map()
      this.#since = now
    }
    const board = this.#known.get(key.hash) ?? (await boardOfKey(db, key))
    this.#known.set(key.hash, board)
    return board
  }
}

/** The same for every key of a board. */
function partitionOf(controlPcbId: string): number {
  let hash = 0
  for (let index = 0; index < controlPcbId.length; index += 1) hash = (hash * 31 + controlPcbId.charCodeAt(index)) >>> 0
  return hash % partitions
}

/** Keeps bodies in the stream before it answers. What is wrong with single frames is found later, and told in the list of packets. */
export function streamIntake(db: Queryable, stream: FrameStream): FrameIntake {
  const boards = new BoardsOfKeys()
  return async (key, body) => {
    const controlPcbId = await boards.of(db, key)
    await stream.publish(partitionOf(controlPcbId), messageOf(body))
    return { controlPcbId, group: [controlPcbId], accepted: body.frames.length, invalid: 0, duplicate: 0, refused: [] }
  }
}
