import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { problem } from '#server/base/problems.ts'

const leastShare = 0.05
const file = /^(multipart\/form-data|text\/csv|application\/octet-stream)\b/i

export async function freeShareOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks > 0 ? bavail / blocks : 1
}

/**
 * Rejects files and frames (507) while less than 5 % of the disk is free: the embedded database stops on a full disk and does
 * not start before there is room.
 */
export function refuseFilesWhenFull(app: FastifyInstance, freeShare: () => Promise<number>): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (file.test(headers['content-type'] ?? '') && (await freeShare()) < leastShare) throw problem('disk-full')
  })
}
