import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { Announcer } from '#server/fleet/ingest/change-throttle.ts'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import type { Volume } from '#server/fleet/ingest/ingest-guard.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { deviceGuard } from './device-guard.ts'
import { firmwareRoute } from './firmware-route.ts'
import { framesRoutes } from './frames-routes.ts'
import { keyRoute } from './key-route.ts'
import { noteRefusals } from './note-refusals.ts'
import { reportRoutes } from './report-routes.ts'
import { stateRoute } from './state-route.ts'

export type DeviceOptions = {
  /** React to frames: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests per minute and key; default 600. */
  requestsPerMin?: number
  /** Storage limit per key. */
  volume?: Volume
}

const usualPerMin = 600
/** Four small frames a second, with a burst for 30 days of frames buffered every five seconds. */
const usualVolume: Volume = { most: 520_000, perMin: 240 }

/** API of control boards, authenticated by device keys. It follows the session and records parts, whose tables it uses. */
export function devicePart({
  observers = [],
  decoder = referenceDecoder,
  requestsPerMin = usualPerMin,
  volume = usualVolume,
}: DeviceOptions = {}): ServerPart {
  const announcers = new WeakMap<ServerContext, Announcer>()
  return {
    name: 'device',
    async register(api, context) {
      const announcer = new Announcer(context)
      announcers.set(context, announcer)
      await api.register(async (scope: Api) => {
        const guard = deviceGuard(scope, context, requestsPerMin)
        const tools = { context, decoder, announcer, observers, guard }
        noteRefusals(scope, context, guard)
        framesRoutes(scope, tools, volume)
        stateRoute(scope, tools)
        reportRoutes(scope, tools)
        firmwareRoute(scope, tools)
        keyRoute(scope, tools)
      })
    },
    start: async (context) => () => announcers.get(context)?.close() ?? Promise.resolve(),
  }
}
