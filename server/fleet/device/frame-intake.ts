import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GroupCommit } from '#server/fleet/ingest/group-commit.ts'
import type { Ingested } from '#server/fleet/ingest/read-body.ts'
import { messageOf, type TakenBody } from '#server/fleet/ingest/stream/body-message.ts'
import { type FrameStream, partitions } from '#server/fleet/ingest/stream/frame-stream.ts'

/** Takes a body of a board; once it answers, the body is kept. */
export type FrameIntake = {
  take: (body: TakenBody) => Promise<Ingested>
  /** True when bodies are kept outside of the database, which may be away. */
  isApart: boolean
}

/** Keeps bodies in the database before it answers, in a transaction that asks for the key again. */
export const directIntake = (commits: GroupCommit): FrameIntake => ({
  take: ({ controlPcbId: _, ...body }) => commits.store(body),
  isApart: false,
})

/** The same for every key of a board. */
function partitionOf(controlPcbId: string): number {
  let hash = 0
  for (let index = 0; index < controlPcbId.length; index += 1) hash = (hash * 31 + controlPcbId.charCodeAt(index)) >>> 0
  return hash % partitions
}

/** Boards that are answered in the same turn share a group, as those of a transaction do: their news are looked up in one statement. */
class Answered {
  #boards: string[] = []
  #group: Promise<readonly string[]> | undefined

  groupWith(controlPcbId: string): Promise<readonly string[]> {
    this.#boards.push(controlPcbId)
    this.#group ??= nextTurn().then(() => {
      const boards = this.#boards
      this.#boards = []
      this.#group = undefined
      return boards
    })
    return this.#group
  }
}

/** Stores bodies in the stream before answering. Faults of single frames are found later, and shown in the list of packets. */
export function streamIntake(stream: FrameStream): FrameIntake {
  const answered = new Answered()
  return {
    async take(body) {
      const { controlPcbId, frames } = body
      await stream.publish(partitionOf(controlPcbId), messageOf(body))
      const group = await answered.groupWith(controlPcbId)
      return { controlPcbId, group, accepted: frames.length, invalid: 0, duplicate: 0, refused: [] }
    },
    isApart: true,
  }
}
