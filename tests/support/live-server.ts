import { devicesPart } from '#server/account/device-routes.ts'
import type { LiveLimits } from '#server/account/live/live-hub.ts'
import { livePart } from '#server/account/live/live-part.ts'
import { sessionPart } from '#server/account/session/session-part.ts'
import { rulesByResource } from '#server/app/rules.ts'
import type { ServerPart } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { forgetDevice } from '#server/notify/device-store.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { type PushPartOptions, pushPart } from '#server/notify/push-part.ts'
import { EventReader } from './event-reader.ts'
import { homeFacts } from './home-facts.ts'
import { openServer } from './open-server.ts'
import { PeopleServer } from './people-server.ts'

export type LiveServerOptions = {
  env?: Record<string, string>
  limits?: Partial<LiveLimits>
  push?: PushPartOptions
  parts?: readonly ServerPart[]
}

/** A server that listens, with everything that leaves by itself: live events, pushes, exports. */
export class LiveServer extends PeopleServer {
  address = ''
  readonly #readers: EventReader[] = []
  #systems = 0

  async stream(token: string, lastEventId?: string, query = ''): Promise<EventReader> {
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const reader = await EventReader.open(`${this.address}/api/events${query}`, { authorization: `Bearer ${token}`, ...resume })
    this.#readers.push(reader)
    return reader
  }

  closeStreams(): void {
    for (const reader of this.#readers.splice(0)) reader.close()
  }

  /** A new system, made by the call of its form; returns its id. */
  async makeEss(token: string): Promise<string> {
    this.#systems += 1
    const code = `SITE-${String(this.#systems).padStart(5, '0')}`
    const { status, body, text } = await this.call('POST', 'ess', { token, body: { code, name: 'A site', ...homeFacts } })
    if (status !== 201) throw new Error(text)
    return String(body.id)
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
    const opened = await openServer({
      database,
      env: { PUBLIC_URL: 'https://console.example', ...env },
      isListening: true,
      parts: [
        sessionPart({ passwordCost: { memoryKiB: 64, passes: 1 }, forgetDevice }),
        exportPart(rulesByResource),
        recordsPart({ rules: rulesByResource, mailOf: mailerOf }),
        livePart(rulesByResource, limits),
        devicesPart,
        pushPart(push),
        ...parts,
      ],
    })
    const server = new LiveServer(opened)
    server.address = opened.app.listeningOrigin
    return server
  }
}
