import { isObject } from '#schema/is-object.ts'
/** Location of the console: address parts and the state of the history entry. */
export type Entry = { pathname: string; search: string; hash: string; state: unknown; key: string }
export type Step = 'POP' | 'PUSH' | 'REPLACE'
export type Target = string | Partial<Pick<Entry, 'pathname' | 'search' | 'hash'>>

/** Called before navigation to another path. True = wait: the guard calls `leave` after the user has agreed. */
export type LeaveGuard = (nextPath: string, leave: () => void) => boolean

/** The window API in use. */
export type HistoryHost = {
  history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  addEventListener: (type: 'popstate', listener: () => void) => void
  removeEventListener: (type: 'popstate', listener: () => void) => void
}

type Mark = { index: number; key: string; state: unknown }

const base = 'http://here.invalid'
const isMark = (value: unknown): value is Mark =>
  isObject(value) && 'index' in value && typeof value.index === 'number' && 'key' in value
const newKey = () => Math.random().toString(36).slice(2, 10)

const addressOf = (target: Target) =>
  typeof target === 'string' ? target : `${target.pathname ?? ''}${target.search ?? ''}${target.hash ?? ''}`

/** To a guard the same path is the same page: list filters and record hashes do not leave it. */
const isElsewhere = (entry: Entry, pathname: string) => entry.pathname !== pathname

/**
 * Single access to the browser's history for public pages, the router and guards of unsaved forms, including Back and Forward.
 * Those are reported only after the fact, so a guarded one is reverted first.
 */
export class ConsoleHistory {
  readonly #window: HistoryHost
  readonly #listeners = new Set<() => void>()
  readonly #guards = new Set<LeaveGuard>()
  #index: number
  #entry: Entry
  #step: Step = 'POP'
  #isUndoing = false
  #isAgreed = false

  constructor(host: HistoryHost = window) {
    this.#window = host
    const mark: unknown = host.history.state
    this.#index = isMark(mark) ? mark.index : 0
    if (!isMark(mark)) host.history.replaceState({ index: 0, key: newKey(), state: null }, '')
    this.#entry = this.#read()
    host.addEventListener('popstate', this.#onPop)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getEntry = (): Entry => this.#entry
  readonly getStep = (): Step => this.#step

  /** Registers a guard; returns the unregister function. */
  readonly guard = (guard: LeaveGuard): (() => void) => {
    this.#guards.add(guard)
    return () => this.#guards.delete(guard)
  }

  readonly createHref = (target: Target): string => addressOf(target) || '/'

  readonly push = (target: Target, state: unknown = null): void => this.#goTo('PUSH', target, state)
  readonly replace = (target: Target, state: unknown = null): void => this.#goTo('REPLACE', target, state)
  readonly go = (delta: number): void => this.#window.history.go(delta)

  /** Stops listening; for tests and hot replacement. */
  dispose(): void {
    this.#window.removeEventListener('popstate', this.#onPop)
  }

  #goTo(step: Exclude<Step, 'POP'>, target: Target, state: unknown): void {
    const url = new URL(addressOf(target), new URL(this.#entry.pathname + this.#entry.search, base))
    if (isElsewhere(this.#entry, url.pathname) && this.#isHeld(url.pathname, () => this.#commit(step, url, state))) return
    this.#commit(step, url, state)
  }

  #commit(step: Exclude<Step, 'POP'>, url: URL, state: unknown): void {
    const index = step === 'PUSH' ? this.#index + 1 : this.#index
    const mark: Mark = { index, key: newKey(), state }
    const address = url.pathname + url.search + url.hash
    if (step === 'PUSH') this.#window.history.pushState(mark, '', address)
    else this.#window.history.replaceState(mark, '', address)
    this.#settle(step, index)
  }

  #isHeld(nextPath: string, leave: () => void): boolean {
    return [...this.#guards].some((guard) => guard(nextPath, leave))
  }

  readonly #onPop = (): void => {
    if (this.#isUndoing) {
      this.#isUndoing = false
      return
    }
    const mark: unknown = this.#window.history.state
    const index = isMark(mark) ? mark.index : 0
    const delta = index - this.#index
    const { pathname } = this.#window.location
    const isFree = this.#isAgreed || delta === 0 || !isElsewhere(this.#entry, pathname)
    this.#isAgreed = false
    if (!isFree && this.#isHeld(pathname, () => this.#goAgreed(delta))) {
      this.#isUndoing = true
      this.go(-delta)
      return
    }
    this.#settle('POP', index)
  }

  #goAgreed(delta: number): void {
    this.#isAgreed = true
    this.go(delta)
  }

  #settle(step: Step, index: number): void {
    this.#index = index
    this.#step = step
    this.#entry = this.#read()
    for (const listener of [...this.#listeners]) listener()
  }

  #read(): Entry {
    const { pathname, search, hash } = this.#window.location
    const mark: unknown = this.#window.history.state
    return { pathname, search, hash, state: isMark(mark) ? mark.state : null, key: isMark(mark) ? mark.key : 'first' }
  }
}
