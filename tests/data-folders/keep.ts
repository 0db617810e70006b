import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packFolder } from './archive.ts'
import { keptAdmin, liveOn } from './life.ts'
import { ReleaseProcess } from './release-process.ts'

/** Warnings are raised, packages stored and hours opened within it. */
const lifeMs = 60_000

const [release = '.', name] = process.argv.slice(2)
if (!name) throw new Error('Usage: npm run keep-data -- FOLDER_OF_THE_RELEASE NAME')

const dataDir = mkdtempSync(join(tmpdir(), 'ess-kept-'))
try {
  const server = await ReleaseProcess.start(resolve(release), {
    DATA_DIR: dataDir,
    DEMO: '1',
    DEMO_SIZE: '5',
    DEMO_PASSWORD: keptAdmin.password,
  })
  const refused = await sleep(lifeMs)
    .then(() => liveOn(server))
    .finally(() => server.end())
  for (const one of refused) console.warn(`this release does not take ${one}`)
  const file = join(import.meta.dirname, `../fixtures/data-folders/${name}.tar.br`)
  console.log(`${file}: ${(packFolder(dataDir, file) / 1e6).toFixed(2)} MB`)
} finally {
  rmSync(dataDir, { recursive: true })
}
