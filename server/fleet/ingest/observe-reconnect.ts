import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import type { FrameObserver, IngestedBatch } from './ingest-frames.ts'

const hasReturned = ({ board, frames }: IngestedBatch) =>
  board.wasSilent && frames.some(({ decoded }) => decoded.status !== 'INVALID')

/** Updates the priority keys of boards that were silent, at once. */
export const observeReconnect: FrameObserver = async (db, group) => {
  const returned = group.filter(hasReturned).map(({ board }) => board)
  if (returned.length > 0)
    await keepPlaces(db, { boards: returned.map((board) => board.controlPcbId), systems: returned.map(({ essId }) => essId) })
}
