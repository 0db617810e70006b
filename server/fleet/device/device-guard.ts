import type { FastifyRequest } from 'fastify'
import { minuteMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import { type AskedKey, KnownKeys } from '#server/fleet/ingest/known-keys.ts'

/** Limit of calls with unknown keys, per address. */
const unknownKeys = { max: 30, timeWindow: 15 * minuteMs }
/** Key look-ups allowed to an address after such calls, as a multiple of the limit for people. */
const perAddress = 20

const givenKey = ({ headers }: FastifyRequest): string => {
  const key = headers['x-device-key']
  return typeof key === 'string' && key.length > 0 && key.length <= 200 ? key : ''
}

/** Authenticates and rate-limits every call of a board. */
export type DeviceGuard = {
  /** Runs before the body: the server neither reads nor buffers data of an unknown caller. */
  onRequest: (request: FastifyRequest) => Promise<void>
  keyOf: (request: FastifyRequest) => AskedKey
  /** The board that the key had when the call began. */
  boardOf: (request: FastifyRequest) => string
  /** True when the key is known and the call within its limits. */
  hasPassed: (request: FastifyRequest) => boolean
}

export function deviceGuard(api: Api, { config, database, clock }: ServerContext, requestsPerMin: number): DeviceGuard {
  const hashOf = (request: FastifyRequest) => hashOfKey(givenKey(request))
  const boards = new WeakMap<FastifyRequest, string>()
  const passed = new WeakSet<FastifyRequest>()
  const boardOf = (request: FastifyRequest) => {
    const board = boards.get(request)
    if (board === undefined) throw problem('device-key.unknown')
    return board
  }
  // By the board: a new key opens no new count.
  const ofBoard = api.createRateLimit({ max: requestsPerMin, timeWindow: minuteMs, keyGenerator: boardOf })
  const ofLookUps = api.createRateLimit({ max: perAddress * config.rateLimitPerMin, timeWindow: minuteMs })
  const ofStranger = api.createRateLimit(unknownKeys)
  const known = new KnownKeys()
  const allow = async (request: FastifyRequest, count: typeof ofBoard) => {
    const limit = await count(request)
    if (!limit.isAllowed && limit.isExceeded) throw problem('too-many', { retryAfterS: limit.ttlInSeconds })
  }
  const keyOf = (request: FastifyRequest) => ({ hash: hashOf(request), demo: config.demo, now: clock() })
  /** Any number of boards may share an address; look-ups are limited only for addresses that have sent unknown keys. */
  const findBoard = async (request: FastifyRequest): Promise<string | undefined> => {
    const key = keyOf(request)
    const remembered = known.remembered(key)
    if (remembered) return remembered
    const strangers = await ofStranger(request, { increment: false })
    if (!strangers.isAllowed && strangers.remaining === 0) await allow(request, ofLookUps)
    return known.boardOf(database.kysely, key)
  }
  const onRequest = async (request: FastifyRequest) => {
    const board = givenKey(request) ? await findBoard(request) : undefined
    if (board === undefined) {
      await allow(request, ofStranger)
      throw problem('device-key.unknown')
    }
    boards.set(request, board)
    await allow(request, ofBoard)
    passed.add(request)
  }
  return { onRequest, keyOf, boardOf, hasPassed: (request) => passed.has(request) }
}
