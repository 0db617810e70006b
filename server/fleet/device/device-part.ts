import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { ChangeThrottle } from '#server/fleet/ingest/change-throttle.ts'
import { GroupCommit } from '#server/fleet/ingest/group-commit.ts'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import { FrameStream } from '#server/fleet/ingest/stream/frame-stream.ts'
import { PartitionWorkers } from '#server/fleet/ingest/stream/partition-workers.ts'
import type { Volume } from '#server/fleet/ingest/volume-limit.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { deviceGuard } from './device-guard.ts'
import { firmwareRoute } from './firmware-route.ts'
import { directIntake, streamIntake } from './frame-intake.ts'
import { framesRoutes } from './frames-routes.ts'
import { keyRoute } from './key-route.ts'
import { recordRefusals } from './record-refusals.ts'
import { reportRoutes } from './report-routes.ts'
import { stateRoute } from './state-route.ts'

export type DeviceOptions = {
  /** React to frames: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests per minute and board; default 600. */
  requestsPerMin?: number
  /** Storage limit per board. */
  volume?: Volume
}

type Running = { throttle: ChangeThrottle; commits: GroupCommit; stream: FrameStream | undefined }

/** Opens the stream of frames and registers its metrics. */
async function openStream(context: ServerContext): Promise<FrameStream> {
  const stream = await FrameStream.of(context.config)
  context.metrics.gauge(
    { name: 'ess_ingest_waiting', help: 'Bodies of boards in the stream that are not stored yet' },
    async (gauge) => gauge.set(await stream.waiting()),
  )
  context.metrics.gauge({ name: 'ess_ingest_stream_up', help: '1 while the stream of frames answers' }, async (gauge) =>
    gauge.set(
      await stream.waiting().then(
        () => 1,
        () => 0,
      ),
    ),
  )
  return stream
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
  const running = new WeakMap<ServerContext, Running>()
  return {
    name: 'device',
    async register(api, context) {
      const throttle = new ChangeThrottle(context)
      const ingest = { context, decoder, throttle, observers }
      const commits = new GroupCommit(ingest)
      const stream = context.config.natsUrl ? await openStream(context) : undefined
      running.set(context, { throttle, commits, stream })
      const intake = stream ? streamIntake(stream) : directIntake(commits)
      await api.register(async (scope: Api) => {
        const guard = deviceGuard(scope, context, requestsPerMin)
        const tools = { ...ingest, guard }
        recordRefusals(scope, context, guard)
        framesRoutes(scope, tools, { volume, intake })
        stateRoute(scope, tools)
        reportRoutes(scope, tools)
        firmwareRoute(scope, tools)
        keyRoute(scope, tools)
      })
    },
    async start(context) {
      const own = running.get(context)
      if (!own) return async () => {}
      const { throttle, commits, stream } = own
      const workers = stream && context.config.ingestWork ? new PartitionWorkers({ context, stream, commits }) : undefined
      return async () => {
        await workers?.close()
        await stream?.close()
        await throttle.close()
      }
    },
  }
}
