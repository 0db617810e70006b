import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killChild } from './kill-child.ts'
import { freePort } from './ports.ts'
import { binaryFolder, owner } from './postgres.ts'

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })

type Command = { program: string; args: readonly string[]; options: { uid?: number; gid?: number; cwd?: string } }

/** A program with a folder and a port of its own that can be killed at any moment and started again on the same data. */
class KillableProgram {
  readonly port: number
  readonly folder: string
  readonly #command: Command
  #child: ChildProcess | undefined

  constructor(port: number, folder: string, command: Command) {
    this.port = port
    this.folder = folder
    this.#command = command
  }

  /** Retries: processes of a killed program may hold its data for a moment. */
  async start(): Promise<void> {
    const { program, args, options } = this.#command
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const child = spawn(program, args, { ...options, stdio: 'ignore' })
      this.#child = child
      for (let look = 0; look < 50 && child.exitCode === null; look += 1) {
        if (await isListening(this.port)) return
        await sleep(100)
      }
      await this.kill()
      await sleep(200)
    }
    throw new Error(`${program} does not start`)
  }

  kill = (): Promise<void> => killChild(this.#child)

  async remove(): Promise<void> {
    await this.kill()
    await sleep(200)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

const natsProgram = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path))

/** CI has both programs, or fails for them. */
export const canKillPrograms = Boolean(process.env.CI) || (natsProgram !== undefined && binaryFolder() !== undefined)

/** A NATS server with JetStream. */
export async function killableNats(): Promise<KillableProgram & { url: string }> {
  if (!natsProgram) throw new Error('there is no nats-server on this machine')
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'ess-nats-'))]
  const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder]
  const nats = new KillableProgram(port, folder, { program: natsProgram, args, options: {} })
  return Object.assign(nats, { url: `nats://127.0.0.1:${port}` })
}

/** A PostgreSQL that keeps what it has committed, unlike the one of other tests. */
export async function killablePostgres(): Promise<KillableProgram & { url: string }> {
  const [port, folder, as, binaries] = [await freePort(), mkdtempSync(join(tmpdir(), 'ess-postgres-')), owner(), binaryFolder()]
  if (!binaries) throw new Error('there is no PostgreSQL on this machine')
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid)
  chmodSync(folder, 0o700)
  const options = { ...as, cwd: tmpdir() }
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', folder, '-U', 'tester', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    {
      ...options,
      stdio: 'ignore',
    },
  )
  const settings = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', fsync: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = new KillableProgram(port, folder, {
    program: join(binaries, 'postgres'),
    args: ['-D', folder, ...flags],
    options,
  })
  return Object.assign(postgres, { url: `postgres://tester@127.0.0.1:${port}/postgres` })
}
