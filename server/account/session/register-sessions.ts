import type { FastifyRequest } from 'fastify'
import type { Caller } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { sessionEnded } from './session-endings.ts'
import { sessionEvents } from './session-events.ts'
import { endSession, type FoundToken, findToken, touchSession } from './session-store.ts'
import { bearerToken, hashToken } from './token.ts'

/** TTL of cached sessions in milliseconds: the maximum lag behind other processes. */
const rememberMs = 1_000
const rememberMax = 10_000

type Remembered = { caller: Caller; goodUntil: number; readAt: number }

function createMemory() {
  const remembered = new Map<string, Remembered>()
  let generation = 0
  const forget = ({ userId, sessionId }: { userId: string; sessionId?: string }) => {
    generation += 1
    for (const [hash, { caller }] of remembered)
      if (caller.userId === userId && (!sessionId || caller.sessionId === sessionId)) remembered.delete(hash)
  }
  sessionEvents.on('ended', forget)
  sessionEvents.on('changed', forget)
  return {
    recall(hash: string, now: number): Caller | undefined {
      const known = remembered.get(hash)
      // Age by the monotonic clock: the wall clock may be set back.
      if (known && known.goodUntil > now && performance.now() - known.readAt < rememberMs) return known.caller
      remembered.delete(hash)
      return undefined
    },
    generation: () => generation,
    /** Not cached when a session ended during the read: it may be this one. */
    keep(hash: string, { caller, goodUntil }: FoundToken, readIn: number) {
      if (readIn !== generation) return
      if (remembered.size >= rememberMax) remembered.clear()
      remembered.set(hash, { caller, goodUntil, readAt: performance.now() })
    },
    close() {
      sessionEvents.off('ended', forget)
      sessionEvents.off('changed', forget)
    },
  }
}

/** Ends a session whose replaced token was used again late: one of its two holders is not the owner. */
export async function endReused({ database, clock }: ServerContext, found: FoundToken, request: FastifyRequest): Promise<void> {
  const { userId, sessionId, role } = found.caller
  await inTransaction(database, async (db) => {
    const ended = await endSession(db, { sessionId, userId, now: clock(), reason: 'token reuse' })
    if (!ended) return
    await addAudit(db, {
      at: clock(),
      actorId: userId,
      role,
      action: 'token reuse',
      entityType: 'session',
      entityId: sessionId,
      result: 'DENIED',
      requestId: request.id,
      ip: request.ip,
    })
  })
  sessionEvents.emit('ended', { userId, sessionId })
}

/** Sets `request.caller` from the bearer token before any non-public route; an invalid token is refused here. */
export function registerSessions(api: Api, context: ServerContext): void {
  const { database, clock } = context
  const memory = createMemory()

  /** The caller of a token, or the reason why its session has ended. */
  const callerOf = async (request: FastifyRequest, token: string): Promise<Caller | { endReason: string | undefined }> => {
    const now = clock()
    const hash = hashToken(token)
    const known = memory.recall(hash, now.getTime())
    if (known) return known
    const readIn = memory.generation()
    const found = await findToken(database.kysely, token, now)
    if (found?.state === 'reused') await endReused(context, found, request)
    if (found?.state !== 'live') return { endReason: found?.endReason }
    await touchSession(database.kysely, token, found, now)
    memory.keep(hash, found, readIn)
    return found.caller
  }

  api.addHook('onRequest', async (request) => {
    const { access, knowsCaller } = request.routeOptions.config
    if (access === undefined || (access === 'public' && !knowsCaller)) return
    const token = bearerToken(request.headers.authorization)
    if (!token) return
    const caller = await callerOf(request, token)
    const isLive = !('endReason' in caller)
    if (!isLive && access !== 'public') throw sessionEnded(caller.endReason)
    request.caller = isLive ? caller : null
  })
  api.addHook('onClose', async () => memory.close())
}
