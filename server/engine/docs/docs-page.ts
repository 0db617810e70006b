/** Globals in the browser: the package has no types for them. */
type Request = { headers: Record<string, string> }
type Answer = { ok: boolean; url: string; text: string }
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
 * Starts the page in the browser: the API description, with the console's session if there is one. Who signs in on the page
 * itself, by the call or by the dialog, is shown the calls of his role from then on. The function is serialised as text, so it
 * must not use anything from its scope.
 */
function startPage(): void {
  const start: (options: Options) => System = Reflect.get(window, 'SwaggerUIBundle')
  const accessTokenIn = (text: string | null, find: (parsed: never) => string | undefined) => {
    try {
      return find(JSON.parse(text ?? 'null') as never)
    } catch {
      return undefined
    }
  }
  const tokenOfConsole = () =>
    accessTokenIn(
      localStorage.getItem('ess-console.session'),
      (kept: { session?: { accessToken?: string } } | null) => kept?.session?.accessToken,
    )
  const tokenIn = ({ ok, url, text }: Answer) =>
    ok && /\/auth\/(login|refresh|challenge\/\w+)$/.test(url)
      ? accessTokenIn(text, (answer: { accessToken?: string } | null) => answer?.accessToken)
      : undefined

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
        const token = own ?? tokenOfConsole()
        if (token && !headers.Authorization && !headers['X-Device-Key']) headers.Authorization = `Bearer ${token}`
        return request
      },
      responseInterceptor: (answer) => {
        const value = tokenIn(answer)
        const schema = { type: 'http', scheme: 'bearer' }
        if (value) page.authActions.authorize({ session: { name: 'session', schema, value } })
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
<style>body { margin: 0 } .swagger-ui .info { margin: 1.5rem 0 }</style>
</head>
<body>
<main id="calls"></main>
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/script.js" defer></script>
</body>
</html>
`
