import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { devicesPart } from '#server/account/device-routes.ts'
import type { LiveLimits } from '#server/account/live/live-hub.ts'
import { livePart } from '#server/account/live/live-part.ts'
import { sessionPart } from '#server/account/session/session-part.ts'
import { buildApp } from '#server/app/app.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { readConfig } from '#server/base/config.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { forgetDevice } from '#server/notify/device-store.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { type PushPartOptions, pushPart } from '#server/notify/push-part.ts'
import { EventReader } from './event-reader.ts'
import { PeopleServer } from './people-server.ts'

/** The time of day, ahead by as much as a test has let pass. */
class PassingClock {
  #ahead = 0
  get at() {
    return Date.now() + this.#ahead
  }
  set at(time: number) {
    this.#ahead = time - Date.now()
  }
}

export type LiveServerOptions = {
  env?: Record<string, string>
  limits?: Partial<LiveLimits>
  push?: PushPartOptions
  parts?: readonly ServerPart[]
}

/** A server that listens, with everything that leaves by itself: live events, pushes, exports. */
export class LiveServer extends PeopleServer {
  address = ''

  stream(token: string, lastEventId?: string): Promise<EventReader> {
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    return EventReader.open(`${this.address}/api/events`, { authorization: `Bearer ${token}`, ...resume })
  }

  override async close(): Promise<void> {
    // Clients open connections that they then never use; nothing but time ends these.
    const force = setTimeout(() => this.app.server.closeAllConnections(), 1_000)
    await super.close().finally(() => clearTimeout(force))
  }

  static async open(
    database: Database,
    { env = {}, limits = {}, push = {}, parts = [] }: LiveServerOptions = {},
  ): Promise<LiveServer> {
    const folder = await mkdtemp(join(tmpdir(), 'ess-live-'))
    const config = readConfig({
      DATA_DIR: folder,
      PUBLIC_URL: 'https://console.example',
      RATE_LIMIT_PER_MIN: '1000000',
      ...env,
    })
    const clock = new PassingClock()
    let context: ServerContext | undefined
    const app = await buildApp({
      config,
      database,
      definitions: definitionsOf(resources),
      clock: () => new Date(clock.at),
      logger: false,
      parts: [
        sessionPart({ passwordCost: { memoryKiB: 64, passes: 1 }, forgetDevice }),
        exportPart(rulesByResource),
        recordsPart({ rules: rulesByResource, mailOf: mailerOf }),
        livePart(rulesByResource, limits),
        devicesPart,
        pushPart(push),
        ...parts,
      ],
      register: (_, given) => {
        context = given
      },
    })
    if (!context) throw new Error('the app was built without its context')
    const server = new LiveServer({ app, database, context, folder, clock })
    server.address = await app.listen({ host: '127.0.0.1', port: 0 })
    return server
  }
}
