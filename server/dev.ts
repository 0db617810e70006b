import { createServer } from 'node:http'
import { join, resolve, sep } from 'node:path'
import { createServerModuleRunner, createServer as createVite } from 'vite'
import { migrations } from '#server/app/migrations.ts'
import { readConfig } from './base/config.ts'
import { openDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { checkDefinitions } from './dev/check-definitions.ts'
import { definitionsGuard } from './dev/definitions-guard.ts'
import { type LiveApi, liveApi } from './dev/live-api.ts'

const root = join(import.meta.dirname, '..')

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

/** Console and API on one port, both made from the sources as they are saved. */
async function develop(): Promise<() => Promise<void>> {
  const { ok, text } = await checkDefinitions(root)
  if (!ok) fail(text)
  const config = readConfig({ DEMO: '1', ...process.env })
  const { dataDir, databaseUrl, databasePoolMax: poolMax } = config
  const database = await openDatabase({ databaseUrl, dataDir, poolMax, onError: console.warn, onFatal: fail })
  await migrate(database, migrations)

  let api: LiveApi | undefined
  const http = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) api?.handle(request, response)
    else vite.middlewares(request, response)
  })
  const vite = await createVite({
    root,
    appType: 'spa',
    plugins: [definitionsGuard({ check: checkDefinitions, changed: async () => api?.renew() })],
    server: {
      middlewareMode: true,
      hmr: { server: http },
      watch: { ignored: [resolve(dataDir), join(root, 'dist'), join(root, 'tests')].map((folder) => `${folder}/**`) },
    },
  })
  api = liveApi(createServerModuleRunner(vite.environments.ssr, { hmr: false }), { config, database })
  await api.renew()

  vite.watcher.on('change', (file) => {
    if (file.startsWith(join(root, 'server') + sep)) api?.renew().catch(console.error)
  })
  await new Promise<void>((done, failed) => http.once('error', failed).listen(config.port, config.host, done))
  console.log(`Development at http://${config.host}:${config.port}`)

  return async () => {
    http.close()
    http.closeAllConnections()
    await vite.close()
    await api?.close()
    await database.close()
  }
}

const close = await develop().catch(fail)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => close().then(() => process.exit(0), fail))
