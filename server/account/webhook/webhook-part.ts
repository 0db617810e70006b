import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { webhookChannel } from './webhook-jobs.ts'
import { WebhookQueue, type WebhookTimes, webhookTimes } from './webhook-queue.ts'

export const webhookPart = (times: Partial<WebhookTimes> = {}): ServerPart => ({
  name: 'webhooks',
  async start(context: ServerContext) {
    const chosen = { ...webhookTimes, ...times }
    const queue = new WebhookQueue(context, chosen)
    const work = () => void queue.work()
    const unlisten = await context.database.listen(webhookChannel, { message: work, reconnected: work })
    const timer = setInterval(work, chosen.everyMs)
    timer.unref()
    work()
    return async () => {
      clearInterval(timer)
      await unlisten()
      await queue.close()
    }
  },
})
