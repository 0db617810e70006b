import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /^(?!\.vite).*\.(?:js|css|html|json|svg|txt|webmanifest)$/
const worthwhileBytes = 1024
const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < worthwhileBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gzipped] = await Promise.all([brotli(content, { params }), gz(content, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gzipped)])
}

/** Writes `.br` and `.gz` beside each file of the console, so that the server never compresses the same bytes twice. */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      outDir = join(config.root, config.environments.client?.build.outDir ?? 'dist')
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error) {
        if (error || !(await stat(outDir).catch(() => undefined))) return
        const names = await readdir(outDir, { recursive: true })
        await Promise.all(names.filter((name) => compressible.test(name)).map((name) => compressFile(join(outDir, name))))
      },
    },
  }
}
