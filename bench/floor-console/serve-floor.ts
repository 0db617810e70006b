import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
}

/** Files of the floor by their path, compressed as the console's are. */
async function buildFloor(): Promise<Map<string, Buffer>> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: import.meta.dirname,
    plugins: [react()],
    build: { write: false, target: 'es2023', modulePreload: { polyfill: false } },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (!output || !('output' in output)) throw new Error('floor-console: nothing was built')
  return new Map(
    output.output.map((file) => [
      `/${file.fileName}`,
      brotliCompressSync(Buffer.from(file.type === 'chunk' ? file.code : file.source)),
    ]),
  )
}

/** Passes a call on to the console's API, so that both pages read the same rows of the same server. */
function passOn(api: string, { url, method, headers }: IncomingMessage, answer: ServerResponse): void {
  const call = request(`${api}${url}`, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  call.once('error', () => answer.destroy())
  call.end()
}

/** Builds the floor and serves it in front of an API. */
export async function serveFloor(api: string): Promise<{ url: string; stop: () => void }> {
  const files = await buildFloor()
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? '/', api)
    if (pathname.startsWith('/api/')) return passOn(api, asked, answer)
    const path = files.has(pathname) ? pathname : '/index.html'
    const isAsset = path.startsWith('/assets/')
    const headers = {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'content-encoding': 'br',
      'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    return answer.writeHead(200, headers).end(files.get(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
