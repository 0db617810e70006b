import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
}

/** A file of the built console; its page for every other address. */
export async function sendFile(folder: string, path: string, to: ServerResponse): Promise<void> {
  const file = join(folder, path)
  const found = extname(path) && existsSync(file) ? file : join(folder, 'index.html')
  to.writeHead(200, { 'content-type': types[extname(found)] ?? 'application/octet-stream' }).end(await readFile(found))
}
