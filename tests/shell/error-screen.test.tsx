import { readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { initI18n } from '#providers/i18n.ts'
import type { Language } from '#schema/words.ts'
import { ErrorBoundary } from '#shell/errors/error-boundary.tsx'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { watchStaleChunks } from '#shell/errors/stale-chunk.ts'
import { Notices } from '#shell/notices.tsx'
import { noteReach } from '#shell/reach/server-reach.ts'
import { ShellProvider, type ShellServices } from '#shell/shell-services.ts'
import { WordsProvider } from '#shell/use-words.ts'
import { memoryStorage } from '#tests/providers/browser.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const wordsOf = (language: Language) => JSON.parse(readFileSync(`public/locales/${language}.json`, 'utf8'))

const unused = async () => undefined
const shell: ShellServices = {
  call: unused,
  signIn: unused,
  enter: () => false,
  endReason: () => undefined,
  user: () => undefined,
  formerUser: () => undefined,
  changeLanguage: unused,
}

function Broken({ error }: { error: unknown }): never {
  throw error
}

async function renderFailing(error: unknown, language: Language) {
  // React tells the console of every caught error.
  vi.spyOn(console, 'error').mockReturnValue()
  const i18n = await initI18n({ load: async (next) => wordsOf(next), storage: memoryStorage(), preferred: [language] })
  render(
    <WordsProvider value={i18n}>
      <ShellProvider value={shell}>
        <Notices isConflict={false} onReload={() => undefined} />
        <ErrorBoundary fallback={(caught) => <ErrorScreen error={caught} />}>
          <Broken error={error} />
        </ErrorBoundary>
      </ShellProvider>
    </WordsProvider>,
  )
}

describe('a page that fails', () => {
  it.each([
    ['ru', 'Обновить страницу'],
    ['en', 'Refresh the page'],
  ] as const)('has a title, a subtitle and the way out (%s)', async (language, button) => {
    await renderFailing(new TypeError('x is undefined'), language)
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
    expect(document.querySelector('.ui-state-text')?.textContent).toBeTruthy()
    expect(screen.getByRole('button', { name: button })).toBeTruthy()
  })

  it('tells the reader nothing of the script, but what the server said', async () => {
    await renderFailing(new TypeError('x is undefined'), 'en')
    expect(document.body.textContent).not.toContain('undefined')
    cleanup()
    await renderFailing(Object.assign(new Error('The ESS is locked'), { statusCode: 423 }), 'en')
    expect(screen.getByText('The ESS is locked')).toBeTruthy()
  })

  it('because a newer version stands on the server says so', async () => {
    await renderFailing(new TypeError('Failed to fetch dynamically imported module: /assets/show-page-1.js'), 'ru')
    expect(screen.getByRole('heading', { level: 1, name: 'У вас устаревшая версия страницы' })).toBeTruthy()
  })
})

describe('a part of the page that cannot be loaded', () => {
  it('says nothing of a newer version while there is no line', async () => {
    watchStaleChunks()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    window.dispatchEvent(new Event('vite:preloadError'))
    await renderFailing(new Error('any'), 'ru')
    expect(screen.queryByText('У вас устаревшая версия страницы')).toBeNull()
  })
})

describe('a part of the page of a server that does not answer', () => {
  it('is no sign of a newer version', async () => {
    noteReach(Date.now())
    watchStaleChunks()
    window.dispatchEvent(new Event('vite:preloadError'))
    await renderFailing(new TypeError('Failed to fetch dynamically imported module'), 'ru')
    expect(screen.queryByText('У вас устаревшая версия страницы')).toBeNull()
    noteReach(undefined)
  })
})

describe('a part of the page that is no longer on the server', () => {
  it('is announced across the page', async () => {
    watchStaleChunks()
    window.dispatchEvent(new Event('vite:preloadError'))
    await renderFailing(new Error('any'), 'ru')
    expect(screen.getAllByText('У вас устаревшая версия страницы').length).toBe(2)
    expect(screen.getAllByRole('button', { name: 'Обновить страницу' }).length).toBe(2)
  })
})
