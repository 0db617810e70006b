import { loadEnv, type Plugin, type ResolvedConfig } from 'vite'
import { classicScript } from './classic-script.ts'

export type ServiceWorkerOptions = {
  /** Where it stands: a worker speaks for the pages below its address. */
  fileName: string
  /** The source, by what the environment says (`VITE_…`). */
  entry: (environment: Readonly<Record<string, string>>) => string
}

/**
 * A service worker as one classic script without a hash in its name, beside the pages that it serves: bundled with the console, and
 * again for each request while developing.
 */
export function serviceWorker({ fileName, entry }: ServiceWorkerOptions): Plugin {
  let config: ResolvedConfig | undefined

  async function bundle(): Promise<string> {
    if (!config) throw new Error('The worker is bundled before the settings are known')
    const envDir = config.envDir || config.root
    return await classicScript(config, { fileName, entry: entry(loadEnv(config.mode, envDir)), envDir })
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
