import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepLastPage } from '#console/last-page/keep-last-page.ts'
import type { LastPage } from '#console/last-page/last-page.ts'
import { elementOf } from '#console/last-page/page-copy.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'

const session = { accessToken: 'a', accessTokenExpired: 1, user: { id: '1', email: 'ada@test.example', role: 'admin' } }

const row = (code: string) => `<tr><td data-kept="true">${code}</td></tr>`
const cells = (page: LastPage) => [...elementOf(page.copy).querySelectorAll('td')].map((cell) => cell.textContent)

let stop: (() => void) | undefined

/** Begins to keep copies of a list of these rows; answers how the page is left, with the copy that is kept then. */
function keepList(...codes: string[]): () => LastPage {
  history.replaceState(null, '', '/ess')
  document.body.innerHTML = `<div id="root"><div class="ui-frame"><main><div class="view-list"><div class="ui-grid">
    <table><tbody>${codes.map(row).join('')}</tbody></table></div></div></main></div></div>`
  stop?.()
  stop = keepLastPage({
    session: { getSnapshot: () => ({ session, conflict: undefined, expired: undefined }) as never },
    storage: localStorage,
    language: () => 'en',
    build: 'b',
    sections: new Set(['ess']),
  })
  return () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    return JSON.parse(localStorage.getItem(storageKeys.lastPage) ?? 'null')
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.setItem(storageKeys.session, JSON.stringify({ session, rev: 1, skewMs: 0 }))
})
afterEach(() => {
  stop?.()
  vi.useRealTimers()
  vi.restoreAllMocks()
  localStorage.clear()
})

it('a list is copied while the browser is idle, and only written when it is left', () => {
  const leave = keepList('ESS-1', 'ESS-2')
  vi.advanceTimersByTime(20_000)
  const reads = vi.spyOn(Element.prototype, 'getBoundingClientRect')
  expect(cells(leave())).toEqual(['ESS-1', 'ESS-2'])
  expect(reads).not.toHaveBeenCalled()
})

it('a list that is left sooner is copied then', () => {
  expect(cells(keepList('ESS-1')())).toEqual(['ESS-1'])
})

it('a list that changed since its copy is kept as it is now', () => {
  const leave = keepList('ESS-1', 'ESS-2')
  vi.advanceTimersByTime(20_000)
  document.querySelector('tr')?.remove()
  expect(cells(leave())).toEqual(['ESS-2'])
})

it('a list in a window of another size since its copy is copied once more', () => {
  for (const size of ['innerWidth', 'innerHeight'] as const) {
    const leave = keepList('ESS-1', 'ESS-2')
    vi.advanceTimersByTime(20_000)
    const [, second] = document.querySelectorAll('tr')
    if (second) vi.spyOn(second, 'getBoundingClientRect').mockReturnValue({ top: 5_000 } as DOMRect)
    expect(cells(leave())).toEqual(['ESS-1', 'ESS-2'])
    vi.spyOn(window, size, 'get').mockReturnValue(390)
    expect(cells(leave())).toEqual(['ESS-1'])
    vi.restoreAllMocks()
  }
})

it('rows that begin below the window are not in a copy', () => {
  const leave = keepList('ESS-1', 'ESS-2', 'ESS-3')
  const [, second, third] = document.querySelectorAll('tr')
  if (second) vi.spyOn(second, 'getBoundingClientRect').mockReturnValue({ top: innerHeight - 1 } as DOMRect)
  if (third) vi.spyOn(third, 'getBoundingClientRect').mockReturnValue({ top: innerHeight } as DOMRect)
  expect(cells(leave())).toEqual(['ESS-1', 'ESS-2'])
})
