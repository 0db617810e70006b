import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const module = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))

/** The clock of a server that a test has started: it can be put ahead while the server runs. */
export class ServerClock {
  readonly #folder: string
  #aheadMs = 0

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async make(name: string): Promise<ServerClock> {
    const clock = new ServerClock(await mkdtemp(join(tmpdir(), `ess-clock-${name}-`)))
    await clock.pass(0)
    return clock
  }

  get #file(): string {
    return join(this.#folder, 'ahead')
  }
  /** Environment of the server. */
  get env(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${module}`, CLOCK_AHEAD_FILE: this.#file }
  }
  async pass(minutes: number): Promise<void> {
    this.#aheadMs += minutes * 60_000
    await writeFile(this.#file, String(this.#aheadMs))
    // The server reads it ten times a second: a call that is made at once would meet the former time.
    await sleep(250)
  }
  remove = () => rm(this.#folder, { recursive: true, force: true })
}
