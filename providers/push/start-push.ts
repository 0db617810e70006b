import type { LazyHttp } from '#providers/client.ts'
import type { Words } from '#providers/http-problem.ts'
import type { LiveNote } from '#providers/live/live-message.ts'
import type { Notice, NoticeBoard } from '#providers/notification.ts'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { openChannel } from '#providers/session/tab-channel.ts'
import type { Tone } from '#schema/field-types.ts'
import { isNotified } from '#schema/roles.ts'
import { type Language, say } from '#schema/words.ts'
import { knownDevice } from './known-device.ts'
import { PushError } from './push-error.ts'
import { ownPath, readPushMessage } from './push-message.ts'
import { pushPermission } from './push-permission.ts'
import type { PushNote, PushTransport } from './push-transport.ts'
import { registerDevice } from './register-device.ts'

export type PushOptions = {
  session: SessionStore
  http: LazyHttp
  board: NoticeBoard
  words: Words
  language: () => Language
  storage: KeyValueStorage
  tabStorage: KeyValueStorage
  transport: () => Promise<PushTransport>
  openPath: (path: string) => void
}

export type Push = {
  /** Receives a notification of the event stream, in the leader tab. */
  take: (note: LiveNote) => void
  /** Requests the permission; reports the reason when it is denied. */
  allow: () => Promise<void>
}

const toastS = 5
const remembered = 100
const channelName = 'ess-console.notes'

const kinds: Readonly<Record<Tone, Notice['kind']>> = {
  idle: 'info',
  info: 'info',
  good: 'success',
  warn: 'warning',
  bad: 'error',
}

/** Shows notifications in a visible page, deduplicated across transports. */
function createToaster({ board, words, openPath }: Pick<PushOptions, 'board' | 'words' | 'openPath'>) {
  const seen = new Set<string>()
  return ({ id, title, body, tone, link }: PushNote) => {
    if (seen.has(id) || document.visibilityState !== 'visible') return
    seen.add(id)
    const [oldest] = seen
    if (seen.size > remembered && oldest) seen.delete(oldest)
    const path = ownPath(link, location.origin)
    const action = path === undefined ? undefined : { label: words('buttons.open'), onSelect: () => openPath(path) }
    board.open({ key: `note-${id}`, kind: kinds[tone], title, text: body, durationS: toastS, action })
  }
}

/** Notifications of this page's sessions: registers the browser once permitted, and shows what arrives. */
export function startPush(options: PushOptions): Push {
  const { session, http, board, words, language, storage, tabStorage } = options
  const toast = createToaster(options)
  const channel = openChannel(channelName)
  channel?.addEventListener('message', ({ data }) => {
    const note = readPushMessage(data)
    if (note) toast(note)
  })

  let transport: Promise<PushTransport> | undefined
  let started: PushTransport | undefined
  /** User of the current or pending registration. */
  let owner: string | undefined

  const complain = (error: unknown) => {
    const text = error instanceof Error ? error.message : words('errors.unexpected')
    board.open({ key: 'push-fault', kind: 'error', title: words('errors.oops'), text })
  }
  const current = () => {
    const user = session.getSnapshot().session?.user
    return user && isNotified(user.role) ? user.id : undefined
  }

  async function connect(userId: string): Promise<void> {
    transport ??= options.transport()
    const found = await transport
    const pushId = await found.start(toast)
    // Signed out while the registration was running.
    if (owner !== userId) return found.stop()
    started = found
    await registerDevice({ http: await http(), storage, userId, pushId })
  }

  /** An unavailable push service is reported once per tab, not per page. */
  async function connectOrSay(userId: string): Promise<void> {
    try {
      // All tabs of a browser are one device: register one at a time.
      if (navigator.locks) await navigator.locks.request(channelName, () => connect(userId))
      else await connect(userId)
      tabStorage.removeItem(storageKeys.pushFault)
    } catch (error) {
      const text = String(error)
      if (tabStorage.getItem(storageKeys.pushFault) !== text) complain(error)
      tabStorage.setItem(storageKeys.pushFault, text)
    }
  }

  /** Fire-and-forget: deletes the registration of this browser. */
  function stop(): void {
    void started?.stop().catch(() => undefined)
    started = undefined
  }

  const check = () => {
    const { conflict } = session.getSnapshot()
    const next = conflict || pushPermission.get() !== 'granted' ? undefined : current()
    if (next === owner) return
    if (owner !== undefined) stop()
    owner = next
    if (next !== undefined) void connectOrSay(next)
  }
  pushPermission.subscribe(check)
  session.subscribe(check)
  check()

  return {
    take({ id, title, body, tone, link, deviceId }) {
      if (deviceId !== undefined && deviceId !== knownDevice(storage)?.id) return
      const note = { id, title: say(title, language()), body: say(body, language()), tone, link }
      if (started?.deliver(note)) return
      channel?.postMessage({ kind: 'note', note })
      toast(note)
    },
    async allow() {
      const answer = await pushPermission.ask()
      if (answer === 'unsupported') complain(new PushError('unsupported-browser'))
      if (answer === 'denied') complain(new PushError('permission-blocked'))
    },
  }
}
