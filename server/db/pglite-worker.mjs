// Runs the embedded engine off the main thread, so that a long query blocks neither sockets nor timers. Plain JavaScript, since
// Node 20 cannot load TypeScript in a worker; nothing imports it.
import { fsyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'

let fsyncs = 0

/** The engine's file system does not fsync: a commit would not survive a power failure. */
class DurableFS extends NodeFS {
  async init(engine, options) {
    const result = await super.init(engine, options)
    result.emscriptenOpts.preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd != null) fsyncSync(stream.nfd)
        fsyncs += 1
        return 0
      }
    })
    return result
  }
}

// fdatasync is a no-op in the WASM build, fsync reaches the file system. Pages are in memory, so random access costs no more
// than sequential.
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'TimeZone=UTC',
  '-c',
  'random_page_cost=1.1',
]

async function open({ dataDir, engineModule }) {
  const fs = new DurableFS(dataDir)
  const engine = await PGlite.create({ fs, extensions: { pg_trgm }, startParams, pgliteWasmModule: engineModule })
  const before = fsyncs
  await engine.query(`select pg_logical_emit_message(true, 'start', 'durable')`)
  if (fsyncs === before) throw new Error('The embedded database does not sync its commits to disk; it will not be used')
  return engine
}

// The non-streaming call parses and keeps every reply: memory would grow with each query.
async function exchange(engine, batch) {
  const parts = []
  await engine.execProtocolRawStream(batch, { onRawData: (part) => parts.push(part.slice()) })
  return parts.length === 1 ? parts[0] : new Uint8Array(Buffer.concat(parts))
}

const engine = await open(workerData)
let last = Promise.resolve()

async function answer([id, batch]) {
  try {
    if (!batch) {
      await engine.close()
      parentPort.postMessage([id])
      return
    }
    const reply = await exchange(engine, batch)
    parentPort.postMessage([id, reply], [reply.buffer])
  } catch (error) {
    parentPort.postMessage([id, undefined, String(error?.message ?? error)])
  }
}

parentPort.on('message', (message) => {
  last = last.then(() => answer(message))
})
parentPort.postMessage('ready')
