import { readFileSync } from 'node:fs'
import { act, configure, render } from '@testing-library/react'
import axios, { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { StrictMode } from 'react'
import { vi } from 'vitest'
import { Root } from '#console/root.tsx'
import { createServices } from '#console/services.ts'
import { initI18n } from '#providers/i18n.ts'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { Role } from '#schema/roles.ts'
import type { SessionUser } from '#schema/wire/wire.ts'
import type { Language } from '#schema/words.ts'
import { ConsoleHistory } from '#shell/history.ts'
import { fakeBrowser, jsonAnswer, memoryStorage, tokenObject } from '#tests/providers/browser.ts'
import { fakeWindow } from './fake-window.ts'

configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 40_000 })

const definitions = definitionsOf(resources)
const wordsOf = (language: Language) => JSON.parse(readFileSync(`public/locales/${language}.json`, 'utf8'))

export const userOf = (role: Role): SessionUser => ({
  id: `${role}-id`,
  email: `${role}@example.com`,
  role,
  firstName: 'Ada',
  lastName: 'Byron',
  language: null,
  timezone: null,
})

type Answer = { status?: number; body: unknown; total?: number }
export type Server = (call: string, body: unknown) => Answer | Promise<Answer> | undefined

const noRecords: Answer = { body: [], total: 0 }

export type ConsoleOptions = {
  /** The signed-in user; a visitor when absent. */
  role?: Role
  at?: string
  language?: Language
  /** Life of the token in seconds. */
  lifeS?: number
  server?: Server
  isDirty?: () => boolean
}

/** The whole console as main.tsx mounts it, over a wire that answers lists with nothing unless `server` knows better. */
export async function openConsole(options: ConsoleOptions = {}) {
  const { role, at = '/', language = 'en', lifeS = 600, server, isDirty = () => false } = options
  const calls: string[] = []
  const signedIn = { role }

  const answerTo = async (call: string, body: unknown): Promise<Answer> => {
    calls.push(call)
    const known = await server?.(call, body)
    if (known) return known
    const user = signedIn.role && userOf(signedIn.role)
    if (call === 'GET auth/me' && user) return { body: { user, permissions: permissionsFor(definitions, user.role) } }
    return call.startsWith('GET ') ? noRecords : { status: 204, body: '' }
  }
  axios.defaults.adapter = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
    const path = (config.url ?? '').replace(/^\//, '')
    const sent = typeof config.data === 'string' ? JSON.parse(config.data) : config.data
    const { status = 200, body, total } = await answerTo(`${config.method?.toUpperCase()} ${path}`, sent)
    const headers = new AxiosHeaders(total === undefined ? {} : { 'x-total-count': String(total) })
    const answer = { data: body, status, statusText: '', headers, config }
    if (status >= 400) throw new AxiosError('refused', 'ERR_BAD_REQUEST', config, undefined, answer)
    return answer
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { status = 200, body } = await answerTo(
      `${init.method ?? 'GET'} ${url.replace('/api/', '')}`,
      JSON.parse(String(init.body ?? 'null')),
    )
    return status === 204 ? new Response(null, { status }) : jsonAnswer(body, status)
  })

  const browser = fakeBrowser()
  const { session } = browser.openTab({ focused: true, isDirty, refresh: () => new Promise(() => undefined) })
  if (role) session.login(tokenObject('token', lifeS, userOf(role)))
  const otherTab = browser.openTab({ focused: true })
  const page = fakeWindow(at)
  const history = new ConsoleHistory(page.host)
  const i18n = await initI18n({ load: async (next) => wordsOf(next), storage: memoryStorage(), preferred: [language] })
  const services = createServices({ session, i18n, history, isDirty })
  // Awaited, because the first pages suspend at once.
  await act(async () => {
    render(
      <StrictMode>
        <Root services={services} />
      </StrictMode>,
    )
  })
  return {
    calls,
    session,
    otherTab: otherTab.session,
    history,
    path: () => history.getEntry().pathname + history.getEntry().search,
    /** The server takes the next sign-in as this role's. */
    becomes: (next: Role) => {
      signedIn.role = next
    },
  }
}
