import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerNotFound } from './errors.ts'

// Names in /assets contain a content hash, so they can be cached forever.
const forEver = 'public, max-age=31536000, immutable'
const askAgain = 'no-cache'

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '/'

/** True for a page navigation: a request for a missing file or script must get a 404 instead of the page. */
function isNavigation(request: FastifyRequest): boolean {
  const path = pathOf(request)
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  const isFile = path.startsWith('/assets/') || /\.\w+$/.test(path)
  return (request.method === 'GET' || request.method === 'HEAD') && wantsPage && !isFile
}

const isApi = (request: FastifyRequest) => /^\/api(\/|$)/i.test(pathOf(request))

const hashesIn = (page: string): string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`,
  )

const lookAgainMs = 1_000

/** Hashes of the document's inline scripts, for the Content-Security-Policy. Reread when a release replaces the document. */
export function inlineScriptsOf(folder: string): () => readonly string[] {
  const file = `${folder}/index.html`
  let hashes: readonly string[] = []
  let changedMs = 0
  let lookedMs = 0
  return () => {
    const now = Date.now()
    if (now - lookedMs < lookAgainMs) return hashes
    lookedMs = now
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (mtimeMs === undefined || mtimeMs === changedMs) return hashes
    changedMs = mtimeMs
    hashes = hashesIn(readFileSync(file, 'utf8'))
    return hashes
  }
}

/** Serves the built console from a folder; every address that is neither a file nor the API gets the page. */
export async function serveConsole(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      allowedPath: (path) => !path.endsWith('.map') && !path.startsWith('/.'),
      setHeaders: (reply, path) => void reply.header('cache-control', path.includes('/assets/') ? forEver : askAgain),
    })
  }
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (!folder || isApi(request) || !isNavigation(request)) return answerNotFound(request, reply)
    return reply.code(200).sendFile('index.html')
  })
}
