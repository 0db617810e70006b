/** Globals in the browser: the package has no types for them. */
type Request = { headers: Record<string, string> }
type Options = Readonly<Record<string, unknown>> & { requestInterceptor: (request: Request) => Request }

/**
 * Starts the page in the browser: the API description, with the console's session if there is one. The function is serialised
 * as text, so it must not use anything from its scope.
 */
function startPage(): void {
  const tokenOfConsole = () => {
    try {
      return JSON.parse(localStorage.getItem('ess-console.session') ?? 'null')?.session?.accessToken
    } catch {
      return undefined
    }
  }
  const start: (options: Options) => unknown = Reflect.get(window, 'SwaggerUIBundle')
  start({
    url: 'openapi.json',
    dom_id: '#calls',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    tryItOutEnabled: true,
    requestInterceptor: (request) => {
      const token = tokenOfConsole()
      const { headers } = request
      if (token && !headers.Authorization && !headers['X-Device-Key']) headers.Authorization = `Bearer ${token}`
      return request
    },
  })
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
