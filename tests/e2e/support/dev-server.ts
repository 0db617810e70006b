import { spawn } from 'node:child_process'
import { createServer } from 'node:net'

export type DevServer = { url: string; output: () => string; stop: () => Promise<void> }

const waitMs = 120_000

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}

/** `npm run dev` of a project on a data folder of its own. */
export async function startDev(dir: string, dataDir: string): Promise<DevServer> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/dev.ts'], {
    cwd: dir,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO: '1', LOG_LEVEL: 'error', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready within ${waitMs / 1000} s:\n${output}`)), waitMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (!output.includes('Development at')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
