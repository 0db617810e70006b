import type { HistoryHost } from '#shell/history.ts'

type FakeEntry = { url: URL; state: unknown }

/** A window's history without a page. Moves are heard of later, as in a browser. */
export function fakeWindow(start = '/') {
  const entries: FakeEntry[] = [{ url: new URL(start, 'http://here.invalid'), state: null }]
  const listeners = new Set<() => void>()
  let at = 0
  const current = (): FakeEntry => {
    const entry = entries[at]
    if (!entry) throw new Error('no entry')
    return entry
  }
  const address = (url: string | URL | null | undefined) => new URL(url || current().url, current().url)
  const host: HistoryHost = {
    history: {
      get state() {
        return current().state
      },
      pushState: (state, _title, url) => {
        entries.splice(at + 1, entries.length, { url: address(url), state })
        at += 1
      },
      replaceState: (state, _title, url) => {
        entries[at] = { url: address(url), state }
      },
      go: (delta = 0) => {
        const next = at + delta
        if (delta === 0 || next < 0 || next >= entries.length) return
        setTimeout(() => {
          at = next
          for (const listener of [...listeners]) listener()
        })
      },
    },
    location: {
      get pathname() {
        return current().url.pathname
      },
      get search() {
        return current().url.search
      },
      get hash() {
        return current().url.hash
      },
    },
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
  }
  return { host, paths: () => entries.map(({ url }) => url.pathname + url.search), index: () => at }
}
