import { randomBytes } from 'node:crypto'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { healthy, type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { ApiUser } from './api-user.ts'
import { newEss } from './records.ts'

type Facts = { seq?: number; time?: Date }
type History = { fromMin: number; untilMin?: number; values: (agoMin: number) => TelemetryValues }

const atOnce = 1_000

/** Calls to the device API, with a key. */
export const sendFrames = (url: string, key: string, ...frames: Buffer[]): Promise<Response> =>
  fetch(`${url}/api/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-device-key': key },
    body: new Uint8Array(Buffer.concat(frames)),
  })

/** A board of a test's own at a site of its own, which sends through the same door as any other. */
export class TalkingBoard {
  readonly id: string
  readonly essId: string
  readonly code: string
  readonly uid: string
  readonly #url: string
  readonly #key: string
  #seq = 0

  private constructor(made: { id: string; essId: string; code: string; uid: string; url: string; key: string }) {
    this.id = made.id
    this.essId = made.essId
    this.code = made.code
    this.uid = made.uid
    this.#url = made.url
    this.#key = made.key
  }

  static async attach(admin: ApiUser, url: string): Promise<TalkingBoard> {
    const uid = randomBytes(6).toString('hex').toUpperCase()
    const ess = await newEss(admin, { cellsInSeries: 16, pvPeakPowerW: 6_000, location: { timezone: 'Asia/Yekaterinburg' } })
    const board = await admin.send('POST', 'control-pcb', {
      code: `PCB-${uid}`,
      uid,
      hardwareRevision: 'B1',
      lifecycle: 'ACTIVE',
    })
    await admin.send('POST', `ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    const { deviceKey } = await admin.send<{ deviceKey: string }>('POST', `control-pcb/${board.id}/device-key`)
    return new TalkingBoard({ id: board.id, essId: ess.id, code: String(board.code), uid, url, key: deviceKey })
  }

  /** A telemetry frame, the next by number, of this moment unless it is told otherwise. */
  frame(values: TelemetryValues = {}, { seq, time }: Facts = {}): Buffer {
    this.#seq = seq ?? this.#seq + 1
    return telemetryFrame(values, { seq: this.#seq, time: time ?? new Date(), uid: this.uid })
  }

  /** Another frame of this moment: of its start, of its update, with what it says of itself. */
  says(type: 'BOOT' | 'FW_PROGRESS', values: Record<string, string | number | null>): Promise<void> {
    this.#seq += 1
    const own = { firmwareVersion: healthy.firmwareVersion, transport: 'LTE', uptimeS: healthy.uptimeS, rebootCount: 4 }
    return this.send(encodeFrame({ type, seq: this.#seq, uid: this.uid, time: new Date(), values: { ...own, ...values } }))
  }

  /** Any sending, whatever its answer. */
  post = (...frames: Buffer[]): Promise<Response> => sendFrames(this.#url, this.#key, ...frames)

  async send(...frames: Buffer[]): Promise<void> {
    const answer = await this.post(...frames)
    if (answer.status !== 202) throw new Error(`ingest answers ${answer.status}: ${await answer.text()}`)
  }

  /** Fetches the configuration that is meant for it, and answers it; undefined while there is none. */
  async configured(result: 'APPLIED' | 'REJECTED', reason?: string): Promise<Record<string, unknown> | undefined> {
    const headers = { 'content-type': 'application/json', 'x-device-key': this.#key }
    const state = await fetch(`${this.#url}/api/device/v1/state`, { headers })
    const { configuration }: { configuration: { version: number; desired: Record<string, unknown> } | null } =
      await state.json()
    if (!configuration) return undefined
    const body = JSON.stringify({ version: configuration.version, result, ...(reason ? { reason } : {}) })
    const answer = await fetch(`${this.#url}/api/device/v1/configuration`, { method: 'POST', headers, body })
    if (answer.status !== 204) throw new Error(`the configuration is answered ${answer.status}: ${await answer.text()}`)
    return configuration.desired
  }

  /** Sends a sample a minute for the time up to `untilMin` minutes ago, oldest first; `values` is told how many minutes ago. */
  async history({ fromMin, untilMin = 1, values }: History): Promise<void> {
    const now = Date.now()
    const agos = Array.from({ length: fromMin - untilMin + 1 }, (_, index) => fromMin - index)
    const frames = agos.map((ago) => this.frame(values(ago), { time: new Date(now - ago * 60_000) }))
    for (let sent = 0; sent < frames.length; sent += atOnce) await this.send(...frames.slice(sent, sent + atOnce))
  }
}
