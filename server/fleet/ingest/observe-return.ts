import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import type { FrameObserver } from './ingest-frames.ts'

/** A silent board that speaks again takes its place at once. Of the others, which are nearly all, nothing is asked. */
export const observeReturn: FrameObserver = async (db, { board, frames }) => {
  if (!board.wasSilent || !frames.some(({ decoded }) => decoded.status !== 'INVALID')) return
  await keepPlaces(db, { boards: [board.controlPcbId], systems: [board.essId] })
}
