import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer, type HotPayload, type Plugin, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { definitionsGuard } from '#server/dev/definitions-guard.ts'
import { ChangesRefused } from '#server/engine/changes/obstacles.ts'

let root: string
let vite: ViteDevServer
let sent: HotPayload[]
let verdict: { ok: boolean; text: string }
const changed = vi.fn(async () => {})

const definition = (label: string) => writeFileSync(join(root, 'resources/ess.ts'), `export const label = '${label}'\n`)
const served = async () => (await vite.transformRequest('/resources/ess.ts'))?.code

/** chokidar drops what changes in a file within 50 ms of its last event. */
const watcherRestMs = 60

/** Saves a definition and waits until the guard has told the browser something. */
async function save(label: string) {
  await delay(watcherRestMs)
  sent.length = 0
  definition(label)
  await vi.waitFor(() => expect(sent).not.toHaveLength(0), 5000)
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'guard-'))
  for (const folder of ['resources', 'src/schema']) mkdirSync(join(root, folder), { recursive: true })
  definition('first')
  verdict = { ok: true, text: '' }
  sent = []
  changed.mockReset()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isWatched = Promise.resolve<unknown>(undefined)
  const watch: Plugin = {
    name: 'watch',
    configureServer({ watcher }) {
      isWatched = once(watcher, 'ready')
    },
  }
  const plugins = [watch, definitionsGuard({ check: async () => verdict, changed })]
  vite = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    server: { middlewareMode: true, ws: false },
  })
  vi.spyOn(vite.ws, 'send').mockImplementation((payload: HotPayload | string) => {
    if (typeof payload === 'object') sent.push(payload)
  })
  expect(await served()).toContain('first')
  // A file that is saved before it is watched raises no event; the watcher lists a file before it watches it. It may have told
  // that it is ready before the plugin was asked.
  await Promise.race([isWatched, delay(5_000)])
})

afterEach(async () => {
  await vite.close()
  rmSync(root, { recursive: true, force: true })
  vi.restoreAllMocks()
})

it('makes the API again and loads the page again when a sound definition is saved', async () => {
  await save('second')
  expect(changed).toHaveBeenCalledOnce()
  expect(sent).toEqual([{ type: 'full-reload' }])
  expect(await served()).toContain('second')
})

it("shows the checker's words and goes on with the last sound definition", async () => {
  verdict = { ok: false, text: 'resources/ess.ts: no such field' }
  await save('broken')
  expect(changed).not.toHaveBeenCalled()
  expect(sent).toMatchObject([{ type: 'error', err: { message: 'resources/ess.ts: no such field' } }])
  expect(await served()).toContain('first')

  verdict = { ok: true, text: '' }
  await save('repaired')
  expect(changed).toHaveBeenCalledOnce()
  expect(await served()).toContain('repaired')
})

it('says in one line why no API can be made from a sound definition, and goes on with the last one', async () => {
  changed.mockImplementationOnce(async () => {
    const error = new Error('no table for it')
    error.stack = `Error: no table for it\n    at ${root}/node_modules/kysely/run.js:1:2\n    at ${root}/server/fleet/visit.ts:7:3`
    throw error
  })
  await save('unfit')
  const line = expect.stringMatching(/^server\/fleet\/visit\.ts:7:3: no table for it .*stay.*save again$/)
  expect(sent).toMatchObject([{ type: 'error', err: { message: line, stack: '' } }])
  expect(await served()).toContain('first')
})

it('leaves the words of a start that is refused for the data as they are', async () => {
  const refused = new ChangesRefused({ obstacles: [], steps: [] })
  changed.mockRejectedValueOnce(refused)
  await save('renamed')
  expect(sent).toMatchObject([{ type: 'error', err: { message: refused.message, stack: '' } }])
})
