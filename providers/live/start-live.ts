import type { DataProvider } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import type { Definitions } from '#schema/definition.ts'
import { readEventStream } from './event-stream.ts'
import type { FirstEvent } from './first-event.ts'
import { leadTabs } from './lead-tabs.ts'
import { LiveCache } from './live-cache.ts'
import { type LiveMessage, type LiveNote, readMessage } from './live-message.ts'
import { ServerReach } from './server-reach.ts'
import type { SseMessage } from './sse-parser.ts'
import { TabTalk } from './tab-talk.ts'

export type LiveOptions = {
  session: SessionStore
  client: QueryClient
  data: DataProvider
  definitions: Definitions
  storage: KeyValueStorage
  firstEvent: FirstEvent
  locks: Pick<LockManager, 'request'> | undefined
  /** Called for a notification in the leader tab only. */
  onNote: (note: LiveNote) => void
  /** Called in each tab with the moment since which the server has not answered; undefined = it does. */
  onReach: (sinceMs: number | undefined) => void
}

const probeMs = 5_000

const serverAnswers = () =>
  fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(probeMs) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Live events of one user's session in this tab, until the signal aborts. */
function follow(options: LiveOptions, userId: string, signal: AbortSignal): void {
  const { session, client, data, definitions, storage, firstEvent, locks, onNote, onReach } = options
  const cache = new LiveCache({ client, data, definitions })
  let isUnreached = false
  const takeReach = (sinceMs: number | undefined) => {
    // More may have been missed than the events that the server resends.
    if (isUnreached && sinceMs === undefined) cache.reset()
    isUnreached = sinceMs !== undefined
    onReach(sinceMs)
  }
  const take = (messages: readonly LiveMessage[]) => {
    for (const message of messages) {
      if (message.kind === 'change') cache.take(message.change)
      else if (message.kind === 'merged') cache.takeMerged(message.resources)
      else if (message.kind === 'reach') takeReach(message.sinceMs)
      else if (message.kind !== 'note') cache.reset()
    }
  }
  const talk = new TabTalk({ name: storageKeys.lastEvent, userId, onMessages: take })
  signal.addEventListener('abort', () => {
    talk.close()
    cache.stop()
    onReach(undefined)
  })

  const lastEventId = () => {
    const [owner, id] = (storage.getItem(storageKeys.lastEvent) ?? '').split(' ')
    const begin = firstEvent.resumeAt(owner === userId ? id : undefined)
    if (begin) storage.setItem(storageKeys.lastEvent, `${userId} ${begin}`)
    return begin
  }
  const onMessages = (pieces: readonly SseMessage[]) => {
    const messages = pieces.flatMap(readMessage)
    talk.tell(messages)
    for (const message of messages) if (message.kind === 'note') onNote(message.note)
    // Stored last: a tab that takes over in between rereads events rather than missing some.
    const id = pieces.at(-1)?.id
    if (id) storage.setItem(storageKeys.lastEvent, `${userId} ${id}`)
  }
  const read = async (term: AbortSignal) => {
    talk.isReader = true
    const reach = new ServerReach({
      probe: serverAnswers,
      isLost: isUnreached,
      onChange: (sinceMs) => talk.tell([{ kind: 'reach', sinceMs }]),
    })
    // An answer to any call of this tab tells sooner than the stream, which pauses between its attempts.
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (isUnreached && event.type === 'updated' && event.action.type === 'success' && !event.action.manual) reach.heard()
    })
    await readEventStream({ session, lastEventId, onMessages, reach }, term)
    unsubscribe()
    reach.stop()
    talk.isReader = false
  }
  void leadTabs({ name: storageKeys.leader, locks, storage }, read, signal)
}

/**
 * Live events of this page: one stream for all tabs, read by the leader. Stops with the session and during a session conflict.
 * Returns the stop function.
 */
export function startLive(options: LiveOptions): () => void {
  const { session, storage } = options
  let owner: string | undefined
  let running: AbortController | undefined
  const check = () => {
    const { session: current, conflict } = session.getSnapshot()
    const next = conflict ? undefined : current?.user.id
    if (next === owner) return
    running?.abort()
    owner = next
    running = next === undefined ? undefined : new AbortController()
    if (next !== undefined && running) follow(options, next, running.signal)
    else if (!conflict) storage.removeItem(storageKeys.lastEvent)
  }
  const unsubscribe = session.subscribe(check)
  check()
  return () => {
    unsubscribe()
    running?.abort()
  }
}
