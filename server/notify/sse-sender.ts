import type { ServerContext } from '#server/base/context.ts'
import { addNotification } from './note.ts'
import type { PushSender } from './push-sender.ts'

/** Delivers over the open console's event stream. A notification already in the stream counts as delivered. */
export const sseSender = ({ database, clock }: Pick<ServerContext, 'database' | 'clock'>): PushSender => ({
  kind: 'sse',
  async send({ userId }, note) {
    await addNotification(database.kysely, { userId, note, now: clock() })
    return 'sent'
  },
})
