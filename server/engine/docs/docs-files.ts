import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Files of the package that renders the page. */
export const docsFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const
export type DocsFile = keyof typeof docsFiles

const read = new Map<DocsFile, Promise<Buffer>>()

/** A file of the package, cached. */
export function docsFile(name: DocsFile): Promise<Buffer> {
  const known = read.get(name) ?? readFile(join(dirname(require.resolve('@fastify/swagger-ui')), 'static', name))
  read.set(name, known)
  return known
}
