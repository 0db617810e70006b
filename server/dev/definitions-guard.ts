import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin, ViteDevServer } from 'vite'
import type { CheckResult } from './check-definitions.ts'
import { loadFault } from './load-fault.ts'

const folders = ['resources', join('src', 'schema')]

type Options = {
  check: (root: string) => Promise<CheckResult>
  /** Called when the definitions are sound again or have changed; what it throws is shown like a fault. */
  changed: () => Promise<void>
}

/** `ChangesRefused` names its fields and the next step itself; of any other error the first frame in the project is reported. */
const adoptionFault = (error: unknown, root: string): string =>
  error instanceof Error && error.name === 'ChangesRefused'
    ? error.message
    : `${loadFault(error, root)}; the previous definitions stay in use: correct this place and save again`

/**
 * Checks the definitions on every change. With faults the browser shows them over the page, and browser and API keep the last
 * valid definitions, even after a reload. Without faults the API is rebuilt and the page reloads.
 */
export function definitionsGuard({ check, changed }: Options): Plugin {
  let root = ''
  let fault: string | undefined
  let pending: Promise<void> | undefined
  let again = false
  let sound = new Map<string, string>()

  const isDefinition = (file: string) => folders.some((folder) => file.startsWith(join(root, folder) + sep))

  const readAll = () =>
    new Map(
      folders.flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [file, readFileSync(file, 'utf8')] as const),
      ),
    )

  const showFault = (server: ViteDevServer) => {
    if (fault !== undefined) server.ws.send({ type: 'error', err: { message: fault, stack: '', plugin: 'check-resources' } })
  }

  const forget = (server: ViteDevServer) => {
    for (const { moduleGraph } of Object.values(server.environments)) {
      for (const [file, modules] of moduleGraph.fileToModulesMap) {
        if (isDefinition(file)) for (const module of modules) moduleGraph.invalidateModule(module)
      }
    }
  }

  const adopt = async (server: ViteDevServer, files: Map<string, string>) => {
    const before = sound
    sound = files
    forget(server)
    try {
      await changed()
    } catch (error) {
      sound = before
      fault = adoptionFault(error, root)
      forget(server)
    }
  }

  const takeOver = async (server: ViteDevServer) => {
    const files = readAll()
    const { ok, text } = await check(root)
    fault = ok ? undefined : text
    if (ok) await adopt(server, files)
    if (fault === undefined) server.ws.send({ type: 'full-reload' })
    else console.error(fault)
    showFault(server)
  }

  /** One check at a time; what changes meanwhile is checked once more. */
  const checkOnce = (server: ViteDevServer): Promise<void> => {
    again = pending !== undefined
    pending ??= takeOver(server).finally(() => {
      pending = undefined
      if (again) checkOnce(server).catch(console.error)
    })
    return pending
  }

  return {
    name: 'definitions-guard',
    apply: 'serve',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
      sound = readAll()
    },
    configureServer(server) {
      server.ws.on('connection', () => showFault(server))
    },
    load(id) {
      const file = id.split('?')[0] ?? id
      return fault !== undefined && isDefinition(file) ? sound.get(file) : undefined
    },
    async hotUpdate({ file, server }) {
      if (!isDefinition(file)) return undefined
      // Every environment reports the same change; the browser's is the one to act on.
      if (this.environment.name === 'client') await checkOnce(server)
      return []
    },
  }
}
