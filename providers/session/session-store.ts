import type { SessionToken, SessionUser } from '#schema/wire/wire.ts'
import { nextStepMs } from './next-step.ts'
import type { Refusal } from './refusal.ts'
import { correctSkew } from './server-clock.ts'
import type { SessionEnvironment, WakeReason } from './session-environment.ts'
import { isSameIdentity, noSession, parseRecord, type SessionRecord } from './session-record.ts'
import { storageKeys } from './storage-keys.ts'
import { type RefreshCall, refreshLeadMs, TokenRefresher } from './token-refresher.ts'
import { untilChange } from './until-change.ts'

/** The state for the screens. Referentially stable until it changes. */
export type SessionSnapshot = {
  /** User of this page: in a conflict still the author of the form. */
  session: SessionToken | null
  /** The token has expired and no new one has arrived: an overlay covers the page and requests wait. */
  expired: boolean
  /** Another user signed in elsewhere while this tab holds unsaved input: nothing is sent until a reload. */
  conflict: boolean
}

export type SessionOptions = {
  environment: SessionEnvironment
  refresh: RefreshCall
  /** True while a reload would lose input. */
  isDirty?: () => boolean
}

/** After the storage was cleared externally, a message with a newer record may still arrive. */
const clearedGraceMs = 250
/** Endings after which sign-in offers the same address; a session ended remotely or a locked account does not reveal it. */
const sameAddress = /^session-ended\.(idle|age|password|role|factor-\w+)$/

/**
 * The session of all tabs: one record, refreshed by one of them. Events are derived from the difference between two records
 * (none and user: login; user and none: logout; same user: refreshed token; else a switch), never from the kind of message.
 */
export class SessionStore {
  readonly #options: SessionOptions
  readonly #refresher: TokenRefresher
  readonly #listeners = new Set<() => void>()
  readonly #identityListeners = new Set<(session: SessionToken | null) => void>()
  #record: SessionRecord
  /** User whose unsaved input this tab still shows although another session, or none, is active. */
  #formOwner: SessionToken | null = null
  #endReason: string | undefined
  #formerUser: SessionUser | undefined
  #snapshot: SessionSnapshot
  #timer: ReturnType<typeof setTimeout> | undefined
  #stops: (() => void)[] = []

  constructor(options: SessionOptions) {
    this.#options = options
    this.#record = this.#stored() ?? noSession
    this.#snapshot = this.#view()
    this.#refresher = new TokenRefresher({
      call: options.refresh,
      exclusive: options.environment.exclusive,
      now: options.environment.now,
      target: {
        sync: () => this.sync(),
        token: () => this.#record.session?.accessToken,
        leftMs: () => this.#leftMs(),
        noteDate: (header) => this.noteDate(header),
        save: (session) => this.#save(session),
        logout: (token, refusal) => this.logout(token, refusal),
        check: () => this.#check(),
      },
    })
  }

  /** Subscribes to other tabs and keeps the token fresh; returns the stop function. */
  start(): () => void {
    const { tabs, onWake } = this.#options.environment
    this.#stops = [
      tabs.listen({ record: (next) => this.#apply(next), cleared: () => this.#onCleared() }),
      onWake((reason) => this.#onWake(reason)),
    ]
    this.#check()
    return () => this.#stop()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): SessionSnapshot => this.#snapshot

  /**
   * Called on each login, logout and switch, in this tab or another, but not on a token refresh; before the screens are
   * notified, so that they never render the previous user's data.
   */
  onIdentityChange(listener: (session: SessionToken | null) => void): () => void {
    this.#identityListeners.add(listener)
    return () => this.#identityListeners.delete(listener)
  }

  /** Stores the token of a login or refresh, for all tabs. */
  login(session: SessionToken): void {
    this.#save(session)
  }

  /** Why the server ended the session while this page was open, as its text or ''; undefined when it has not. */
  get endReason(): string | undefined {
    return this.#endReason
  }

  /** User of the session that the server ended, if he signs in again with the same address. */
  get formerUser(): SessionUser | undefined {
    return this.#formerUser
  }

  /** Applies saved profile changes in all tabs. */
  readonly amend = (changed: Partial<Pick<SessionToken['user'], 'firstName' | 'lastName' | 'timezone'>>): void => {
    const { session } = this.#record
    if (session) this.#save({ ...session, user: { ...session.user, ...changed } })
  }

  /**
   * Ends the session locally in all tabs. With a `token` the server has rejected it: this applies only while it is current, and
   * the push id stays for the next session of this browser, which registers it again: a new password ends registrations.
   */
  logout(token?: string, { message, code = '' }: Refusal = { message: '' }): void {
    const { session } = this.#record
    if (!session || (token !== undefined && token !== session.accessToken)) return
    this.#options.environment.storage.removeItem(storageKeys.device)
    if (token !== undefined) return this.#save(null, { ended: message, ...(sameAddress.test(code) ? { mayReturn: true } : {}) })
    this.#options.environment.storage.removeItem(storageKeys.pushId)
    this.#save(null)
  }

  /** Adopts a newer record from the storage. */
  sync(): void {
    const stored = this.#stored()
    if (stored) this.#apply(stored)
  }

  /** Corrects the clock by the Date header of a fresh response. */
  noteDate(header: unknown): void {
    const skewMs = correctSkew(this.#record.skewMs, header, this.#options.environment.now())
    if (skewMs === this.#record.skewMs) return
    // Not persisted: another tab may have stored a newer record not yet seen here.
    this.#record = { ...this.#record, skewMs }
    this.#check()
  }

  /** A valid token; undefined without a session. Rejects with the signal's reason. */
  async liveToken(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#leftMs() <= 0) {
      this.#check()
      await untilChange({ subscribe: this.subscribe, isDone: () => this.#leftMs() > 0, signal })
    }
    return this.#record.session?.accessToken
  }

  /** Reloads the page, e.g. out of a conflict. */
  reload(): void {
    this.#options.environment.reload()
  }

  #stored(): SessionRecord | null {
    return parseRecord(this.#options.environment.storage.getItem(storageKeys.session))
  }

  #save(session: SessionToken | null, ending: Pick<SessionRecord, 'ended' | 'mayReturn'> = {}): void {
    const { storage, tabs, now } = this.#options.environment
    const rev = Math.max(now(), this.#record.rev + 1)
    const next = { session, rev, skewMs: this.#record.skewMs, ...ending }
    storage.setItem(storageKeys.session, JSON.stringify(next))
    tabs.post(next)
    this.#apply(next, true)
  }

  #apply(next: SessionRecord, isOwn = false): void {
    if (next.rev <= this.#record.rev) return
    const shown = this.#snapshot.session
    if (!isSameIdentity(this.#record.session, next.session)) this.#options.environment.storage.removeItem(storageKeys.lastPage)
    this.#formerUser = next.mayReturn ? this.#record.session?.user : undefined
    this.#record = next
    this.#endReason = next.ended
    this.#refresher.reset()
    this.#formOwner = isOwn ? null : this.#ownerOfUnsavedForm(shown)
    const { session, conflict } = this.#view()
    if (!conflict && !isSameIdentity(shown, session)) {
      if (!isOwn && session && this.#mustReload(next.rev)) {
        this.reload()
        return
      }
      for (const listener of this.#identityListeners) listener(session)
    }
    this.#check()
  }

  /** Another user's form stays on screen, but must not be sent under the new identity. */
  #ownerOfUnsavedForm(shown: SessionToken | null): SessionToken | null {
    const owner = this.#formOwner ?? shown
    return isSameIdentity(owner, this.#record.session) || !this.#options.isDirty?.() ? null : owner
  }

  /** Background tabs adopt a new identity by a reload, once per record. The focused tab is left alone. */
  #mustReload(rev: number): boolean {
    const { hasFocus, tabStorage } = this.#options.environment
    if (hasFocus() || tabStorage.getItem(storageKeys.reloaded) === String(rev)) return false
    tabStorage.setItem(storageKeys.reloaded, String(rev))
    return true
  }

  #onCleared(): void {
    const { rev } = this.#record
    setTimeout(() => {
      const stored = this.#stored()
      if (stored) this.#apply(stored)
      else if (this.#record.rev === rev && this.#record.session) this.#apply({ ...this.#record, session: null, rev: rev + 1 })
    }, clearedGraceMs)
  }

  #onWake(reason: WakeReason): void {
    if (reason === 'online') this.#refresher.reset()
    this.sync()
    this.#check()
  }

  #leftMs(): number {
    const { session, skewMs } = this.#record
    if (!session) return Number.POSITIVE_INFINITY
    return session.accessTokenExpired * 1_000 - (this.#options.environment.now() + skewMs)
  }

  #check(): void {
    clearTimeout(this.#timer)
    const leftMs = this.#leftMs()
    if (this.#stops.length > 0 && leftMs !== Number.POSITIVE_INFINITY) {
      if (leftMs <= refreshLeadMs) void this.#refresher.attempt()
      const retryMs = this.#refresher.notBefore - this.#options.environment.now()
      this.#timer = setTimeout(() => this.#check(), nextStepMs(leftMs, retryMs))
    }
    this.#emit()
  }

  #view(): SessionSnapshot {
    const { session } = this.#record
    const conflict = session !== null && this.#formOwner !== null
    return { session: conflict ? this.#formOwner : session, expired: this.#leftMs() <= 0, conflict }
  }

  #emit(): void {
    const next = this.#view()
    const { session, expired, conflict } = this.#snapshot
    if (session === next.session && expired === next.expired && conflict === next.conflict) return
    this.#snapshot = next
    for (const listener of this.#listeners) listener()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
    this.#stops = []
  }
}
