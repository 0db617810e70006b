/** Globals in the browser: the package has no types for them. */
type Request = { headers: Record<string, string> }
type Answer = { ok: boolean; url: string; text: string }
/** A session as the sign-in answers it and the console keeps it. */
type Session = { accessToken?: string; accessTokenExpired?: number; user?: { email?: string; role?: string } }
type Ways = Readonly<Record<string, { value?: string } | undefined>>
type System = {
  authActions: { authorize(ways: object): void }
  authSelectors: { authorized(): { toJS(): Ways } }
}
type Wrapped = (original: (given: unknown) => unknown, system: System) => (given: unknown) => unknown
type Options = Readonly<Record<string, unknown>> & {
  requestInterceptor: (request: Request) => Request
  responseInterceptor: (answer: Answer) => Answer
  onComplete: () => void
}

/**
 * Starts the page in the browser: the API description, with the console's session if there is one. A sign-in on this page
 * reloads the description for that role; a line shows account and expiry, as the reload hides the answer of the call. The
 * function is serialised as text, so it must not use anything from its scope.
 */
function startPage(): void {
  const start: (options: Options) => System = Reflect.get(window, 'SwaggerUIBundle')
  const sessionIn = (text: string | null, find: (parsed: never) => Session | undefined) => {
    try {
      return find(JSON.parse(text ?? 'null') as never)
    } catch {
      return undefined
    }
  }
  const sessionOfConsole = () =>
    sessionIn(localStorage.getItem('ess-console.session'), (kept: { session?: Session } | null) => kept?.session)
  const sessionOfAnswer = ({ ok, url, text }: Answer) =>
    ok && /\/auth\/(login|refresh|challenge\/\w+)$/.test(url)
      ? sessionIn(text, (answer: Session | null) => answer ?? undefined)
      : undefined

  let signedIn: Session | undefined
  /** `own`: the token that the page itself got, from a call or typed into the dialog. */
  const sayWho = (own: string | undefined): void => {
    const line = document.getElementById('session')
    if (!line) return
    const { user, accessTokenExpired: until } = (own === undefined ? sessionOfConsole() : signedIn) ?? {}
    const isKnown = user?.email !== undefined && (own === undefined || own === signedIn?.accessToken)
    const end =
      until === undefined
        ? ''
        : ` until ${new Date(until * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`
    const where = own === undefined ? 'Signed in to the console' : 'Signed in'
    line.textContent = isKnown
      ? `${where} as ${user.email} (${user.role})${end}. The calls below are those of this role.`
      : own === undefined
        ? ''
        : 'The calls below are those of the token that was given.'
    line.hidden = line.textContent === ''
  }

  const partAt = (description: object, path: readonly string[]) =>
    path.reduce<unknown>((part, name) => Reflect.get(Object(part), name), description)
  /** `$$ref` is by which the page names a schema. A reference inside of the schema that it names stays as it is. */
  const inlined = (part: unknown, description: object, within: readonly string[] = []): unknown => {
    if (Array.isArray(part)) return part.map((item) => inlined(item, description, within))
    if (typeof part !== 'object' || part === null) return part
    const reference: unknown = Reflect.get(part, '$ref')
    if (typeof reference === 'string' && !within.includes(reference)) {
      const named = inlined(partAt(description, reference.slice(2).split('/')), description, [...within, reference])
      return { ...Object(named), $$ref: new URL(reference, location.href).href }
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, inlined(value, description, within)]))
  }
  /** The package prepares the whole description again for each call that is opened, which takes seconds. */
  const resolveSubtree = async (description: object, path: readonly string[]) => ({
    spec: inlined(partAt(description, path), description),
    errors: [],
  })

  /** The description is of the caller, so the page starts over where another one is known. `ways`: those known so far. */
  const open = (ways: Ways): void => {
    const place = document.createElement('main')
    place.id = 'calls'
    document.getElementById('calls')?.replaceWith(place)
    const own = ways.session?.value
    sayWho(own)
    const follow: Wrapped = (original, system) => (given) => {
      const done = original(given)
      const known = system.authSelectors.authorized().toJS()
      if (known.session?.value !== own) setTimeout(() => open(known))
      return done
    }
    const page = start({
      url: 'openapi.json',
      domNode: place,
      deepLinking: true,
      docExpansion: 'list',
      filter: true,
      tryItOutEnabled: true,
      plugins: [{ fn: { resolveSubtree }, statePlugins: { auth: { wrapActions: { authorize: follow, logout: follow } } } }],
      requestInterceptor: (request) => {
        const { headers } = request
        const token = own ?? sessionOfConsole()?.accessToken
        if (token && !headers.Authorization && !headers['X-Device-Key']) headers.Authorization = `Bearer ${token}`
        return request
      },
      responseInterceptor: (answer) => {
        const session = sessionOfAnswer(answer)
        const value = session?.accessToken
        const schema = { type: 'http', scheme: 'bearer' }
        if (!value) return answer
        signedIn = session
        page.authActions.authorize({ session: { name: 'session', schema, value } })
        return answer
      },
      onComplete: () => page.authActions.authorize(ways),
    })
  }
  open({})
}

/** TypeScript runners wrap functions in a name helper, which the page must define. */
export const docsScript = `const __name = (made) => made\n;(${startPage.toString()})()\n`

/** The page that shows and tries the API. It contains no secrets and no scripts but its own files. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>body { margin: 0 } .swagger-ui .info { margin: 1.5rem 0 }
#session { position: sticky; top: 0; z-index: 1; margin: 0; padding: .75rem 1.25rem; background: #e7f6ec; color: #14532d;
  font: 1rem sans-serif }</style>
</head>
<body>
<p id="session" role="status" hidden></p>
<main id="calls"></main>
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/script.js" defer></script>
</body>
</html>
`
