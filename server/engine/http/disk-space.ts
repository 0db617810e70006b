import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { problem } from '#server/base/problems.ts'

const leastShare = 0.05
/** Four segments of the write-ahead log. */
const leastBytes = 64 * 1_048_576
const file = /^(multipart\/form-data|text\/csv|application\/octet-stream)\b/i

const shareOf = ({ bavail, blocks }: StatsFs) => (blocks > 0 ? bavail / blocks : 1)

export const freeShareOf = async (folder: string): Promise<number> => shareOf(await statfs(folder))

/** The free share of the disk of a folder; 0 where that is too little for the embedded database to go on. */
export async function writableShareOf(folder: string): Promise<number> {
  const disk = await statfs(folder)
  return disk.bavail * disk.bsize < leastBytes ? 0 : shareOf(disk)
}

/**
 * Rejects files and frames (507) while less than 5 % of the disk, or 64 MB, is free: the embedded database stops on a full disk and does
 * not start before there is room.
 */
export function refuseFilesWhenFull(app: FastifyInstance, freeShare: () => Promise<number>): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (file.test(headers['content-type'] ?? '') && (await freeShare()) < leastShare) throw problem('disk-full')
  })
}
