import { join } from 'node:path'
import { build, loadEnv, type Plugin, type ResolvedConfig } from 'vite'

export type ServiceWorkerOptions = {
  /** Where it stands: a worker speaks for the pages below its address. */
  fileName: string
  /** The source, by what the environment says (`VITE_…`). */
  entry: (environment: Readonly<Record<string, string>>) => string
}

/**
 * A service worker as one classic script without a hash in its name, beside the pages that it serves: bundled with the console, and
 * anew for each request while developing.
 */
export function serviceWorker({ fileName, entry }: ServiceWorkerOptions): Plugin {
  let config: ResolvedConfig | undefined

  async function bundle(): Promise<string> {
    if (!config) throw new Error('The worker is bundled before the settings are known')
    const { root, mode, command } = config
    const envDir = config.envDir || root
    const output = await build({
      configFile: false,
      logLevel: 'warn',
      root,
      mode,
      envDir,
      publicDir: false,
      build: {
        write: false,
        target: 'es2023',
        minify: command === 'build',
        sourcemap: command === 'serve' ? 'inline' : false,
        rolldownOptions: {
          input: join(root, entry(loadEnv(mode, envDir))),
          output: { format: 'iife', codeSplitting: false, entryFileNames: fileName },
        },
      },
    })
    const [first] = Array.isArray(output) ? output : [output]
    const [chunk] = first && 'output' in first ? first.output : []
    if (chunk?.type !== 'chunk') throw new Error(`${fileName}: nothing was bundled`)
    return chunk.code
  }

  return {
    name: 'service-worker',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(resolved) {
      config = resolved
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await bundle() })
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_, answer, next) => {
        bundle().then((code) => {
          answer.setHeader('content-type', 'text/javascript')
          answer.setHeader('cache-control', 'no-cache')
          answer.end(code)
        }, next)
      })
    },
  }
}
