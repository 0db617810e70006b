import { hourMs } from '#schema/format/durations.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { disableUnseen } from './device-store.ts'
import { readFcmAccount } from './fcm-account.ts'
import { FcmSender } from './fcm-sender.ts'
import { pushChannel } from './push-jobs.ts'
import { PushQueue, type PushTimes, pushTimes } from './push-queue.ts'
import type { PushSender } from './push-sender.ts'
import { sseSender } from './sse-sender.ts'

const unseenEveryMs = hourMs

export type PushPartOptions = {
  /** The push sender; default: by the settings. */
  sender?: (context: ServerContext) => PushSender
  times?: Partial<PushTimes>
}

/** Firebase with a service account, else the console's event stream. Throws when the account file is unreadable. */
function senderOf(context: ServerContext): PushSender {
  const { config, log } = context
  if (!config.fcmServiceAccount) return sseSender(context)
  const account = readFcmAccount(config.fcmServiceAccount)
  return new FcmSender({
    account,
    publicUrl: config.publicUrl,
    onError: (error) => log.warn({ err: error }, 'a push was not sent'),
  })
}

export function pushPart({ sender = senderOf, times = {} }: PushPartOptions = {}): ServerPart {
  const senders = new WeakMap<ServerContext, PushSender>()
  return {
    name: 'push',
    prepare: async (context) => void senders.set(context, sender(context)),
    async start(context) {
      const { database, clock, log } = context
      const chosen = { ...pushTimes, ...times }
      const queue = new PushQueue(context, senders.get(context) ?? sender(context), chosen)
      const work = () => void queue.work()
      const unlisten = await database.listen(pushChannel, { message: work, reconnected: work })
      const giveUp = () =>
        void disableUnseen(database.kysely, clock()).catch((error: unknown) =>
          log.warn({ err: error }, 'old devices not given up'),
        )
      const timers = [setInterval(work, chosen.everyMs), setInterval(giveUp, unseenEveryMs)]
      for (const timer of timers) timer.unref()
      work()
      return async () => {
        for (const timer of timers) clearInterval(timer)
        await unlisten()
        await queue.close()
      }
    },
  }
}
