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
  /** Acts on what boards say: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests per minute and key; 600 by default. */
  requestsPerMin?: number
  /** Volume that each key may store. */
  volume?: Volume
}

const usualPerMin = 600
/** Four small frames a second, and room for what piles up within 30 days at one in five seconds. */
const usualVolume: Volume = { most: 520_000, perMin: 240 }

/** The API of control boards, opened by their keys. It follows the session and the records, whose tables it fills. */
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
