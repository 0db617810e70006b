/** Globals of the page's program in the browser: the package brings no types for them. */
type Request = { headers: Record<string, string> }
type Options = Readonly<Record<string, unknown>> & { requestInterceptor: (request: Request) => Request }

/**
 * Starts the page in the browser: the description of the API, with the session of the console where there is one. It travels as text, so
 * it reads nothing from around itself.
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

/** Tools that run the sources keep the names of functions by a helper, which a page does not have. */
export const docsScript = `const __name = (made) => made\n;(${startPage.toString()})()\n`

/** The page that shows and tries the API. Nothing secret is in it, and no script but its own files. */
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
