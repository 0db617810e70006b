import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import type { FrameObserver, IngestedBatch } from './ingest-frames.ts'
import { perGroup } from './per-group.ts'

const hasReturned = ({ board, frames }: IngestedBatch) =>
  board.wasSilent && frames.some(({ decoded }) => decoded.status !== 'INVALID')

const keepPlacesOfReturned = perGroup(async (db, group: readonly IngestedBatch[]) => {
  const returned = group.filter(hasReturned).map(({ board }) => board)
  if (returned.length > 0)
    await keepPlaces(db, { boards: returned.map((board) => board.controlPcbId), systems: returned.map(({ essId }) => essId) })
  return new Map<string, never>()
})

/** Updates the priority key of a board that was silent, at once and for all such boards of the transaction in one statement. */
export const observeReturn: FrameObserver = async (db, { group }) => {
  await keepPlacesOfReturned(db, group)
}
