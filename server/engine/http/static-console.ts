import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerMissing } from './errors.ts'

// Names in /assets carry a hash of the content: another content has another name.
const forEver = 'public, max-age=31536000, immutable'
const askAgain = 'no-cache'

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '/'

/** A person opens a page: a program that asks for a missing file or script must hear that it is missing. */
function isNavigation(request: FastifyRequest): boolean {
  const path = pathOf(request)
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  const isFile = path.startsWith('/assets/') || /\.\w+$/.test(path)
  return (request.method === 'GET' || request.method === 'HEAD') && wantsPage && !isFile
}

const isApi = (request: FastifyRequest) => /^\/api(\/|$)/i.test(pathOf(request))

/** Serves the built console out of a folder, with the page for every address that is neither a file nor the API. */
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
    if (!folder || isApi(request) || !isNavigation(request)) return answerMissing(request, reply)
    return reply.code(200).sendFile('index.html')
  })
}
