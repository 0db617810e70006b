import type { EarlyCalls } from '#providers/early/early-answers.ts'
import { afterPaint } from '#ui/layout/after-paint.ts'
import { type EarlyPlan, screensOf } from './early-plan.ts'
import { lastPageFor, markOf, paintLastPage } from './last-page/last-page.ts'
import { isSparing } from './when-network-idle.ts'

declare global {
  /** Written by the build in front of this script. */
  const earlyPlan: EarlyPlan
}

type Session = {
  accessToken: string
  accessTokenExpired: number
  user: { id: string; role: string; timezone: string | null }
}

/** Ids that need no encoding in an address; the console encodes others. */
const idPattern = /^[\w-]+$/
/** A token with less time left is renewed first. */
const leastMs = 10_000

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The stored session. The console renews an expired token. */
function storedSession(): { session?: Session; skewMs?: number } {
  try {
    return JSON.parse(stored('ess-console.session') ?? '{}') ?? {}
  } catch {
    return {}
  }
}

function liveSession(): Session | undefined {
  const { session, skewMs = 0 } = storedSession()
  const isLive = session && session.accessTokenExpired * 1000 - (Date.now() + skewMs) > leastMs
  return isLive ? session : undefined
}

function link(facts: { rel: string; href: string; as?: string }): void {
  document.head.append(Object.assign(document.createElement('link'), facts, { crossOrigin: 'anonymous' }))
}

function languageFiles(): string[] {
  const { inline, further } = earlyPlan.languages
  const known = [...inline, ...further]
  const wanted = [stored('ess-console.language'), navigator.languages[0]?.split('-')[0]]
  const language = wanted.find((code) => code && known.includes(code)) ?? 'en'
  return inline.includes(language) ? [language] : ['en', language]
}

/** First call of the page for this role; none for an address with filters, which only the list can read. */
function firstCall({ user }: Session): string | undefined {
  const [section = '', id, part] = location.pathname.split('/').filter(Boolean)
  if (section === '') {
    const zone = user.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone
    return `dashboard/summary?zone=${encodeURIComponent(zone)}`
  }
  const calls = earlyPlan.sections[section]
  const call = id ? calls?.record : calls?.list
  const isPlain = id ? id !== 'create' && part !== 'edit' && idPattern.test(id) : location.search === ''
  return call && isPlain && call.roles.some((role) => role === user.role) ? call.url.replace('{id}', id ?? '') : undefined
}

/** The dashboard's scripts; parts of single roles are fetched before their data. */
function dashboardOf({ user }: Session) {
  if (user.role === 'client') return ['dashboard', 'clientView'] as const
  return user.role === 'installer' ? (['dashboard'] as const) : (['dashboard', 'powerLines'] as const)
}

function send(session: Session, language: string, call: string | undefined): void {
  const answers: EarlyCalls['answers'] = {}
  const headers = {
    accept: 'application/json, text/plain, */*',
    'accept-language': language,
    authorization: `Bearer ${session.accessToken}`,
  }
  for (const url of ['auth/me', call]) {
    if (!url) continue
    const answer = fetch(`/api/${url}`, { headers }).then(async (response) => ({ response, text: await response.text() }))
    // Without a handler a lost connection would also be reported as an unhandled rejection.
    answer.catch(() => undefined)
    answers[`/api/${url}`] = answer
  }
  window.earlyCalls = { token: session.accessToken, startedAt: Date.now(), answers }
}

const section = location.pathname.split('/').find(Boolean) ?? ''
const isConsole = ['', 'profile', 'filling', 'inbox'].includes(section) || Object.hasOwn(earlyPlan.sections, section)
const files = languageFiles()
for (const file of files) link({ rel: 'preload', as: 'fetch', href: `/locales/${file}.json` })
const signedIn = liveSession()
const session = isConsole ? signedIn : undefined
if (session) {
  const { scripts } = earlyPlan
  const call = firstCall(session)
  const screens = section === '' ? dashboardOf(session) : screensOf(location.pathname)
  // A list needs only this script's answers; other screens make more calls at once.
  const client = call && screens.every((screen) => screen === 'list') ? [] : scripts.client
  for (const href of new Set([...scripts.console, ...screens.flatMap((screen) => scripts[screen]), ...client]))
    link({ rel: 'modulepreload', href })
  document.documentElement.dataset.start = 'console'
  send(session, files.at(-1) ?? 'en', call)
}
if (!storedSession().session && (isConsole || location.pathname === '/login'))
  for (const href of earlyPlan.scripts.signIn) link({ rel: 'modulepreload', href })
document.documentElement.dataset.build = earlyPlan.build
const owner = storedSession().session?.user
const mark = owner && markOf(owner, earlyPlan.build, files.at(-1) ?? 'en')
const lastPage = lastPageFor(mark)
// With an expired token the session may be over: nothing is shown before the server answers.
if (lastPage && signedIn) {
  const isStillOwn = () => {
    const user = liveSession()?.user
    return user?.id === mark?.user && user?.role === mark?.role
  }
  // By then the frame is parsed, and the console has not run.
  document.addEventListener('readystatechange', () => paintLastPage(lastPage, isStillOwn), { once: true })
}
// The first number formatter loads the browser's locale data, which takes as long as drawing the rows: while styles and scripts
// are on their way it costs nothing. A copy is painted before.
const loadLocaleData = () => new Intl.NumberFormat()
if (session && lastPage) afterPaint(loadLocaleData)
else if (session) setTimeout(loadLocaleData)
const theme = stored('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
// The browser holds the typeface since an earlier page: this one begins with it. It may have dropped it, so not on a metered line.
if (stored('ess-console.face') && !isSparing()) document.documentElement.dataset.face = 'own'
