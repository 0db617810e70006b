import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliveredEvents } from '#resources/shared/webhook-events.ts'
import { variables } from '#server/base/config.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { WebhookServer } from '#tests/support/webhook-server.ts'

const page = readFileSync('docs/webhooks.md', 'utf8')
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

/** A program of the page as it runs, with what it has printed. */
class Program {
  readonly #child: ChildProcess
  output = ''
  constructor(command: string, file: string, secret: string) {
    this.#child = spawn(command, [file], { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' } })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString()
      })
  }
  async url(): Promise<string> {
    await expect.poll(() => this.output, { timeout: 10_000 }).toMatch(/listening on \d+/)
    return `http://127.0.0.1:${/listening on (\d+)/.exec(this.output)?.[1]}/in`
  }
  end = () => this.#child.kill()
}

describe.each(oneEngine(import.meta.filename))('the page on webhooks, on $name', (engine) => {
  let server: WebhookServer
  let folder: string
  beforeAll(async () => {
    server = await WebhookServer.open(engine)
    folder = await mkdtemp(join(tmpdir(), 'ess-hooks-'))
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each([
    ['js', process.execPath, 'receiver.mjs'],
    ['python', 'python3', 'receiver.py'],
  ])('has a receiver in %s that takes what is genuine, once, and nothing else', async (language, command, name) => {
    const file = join(folder, name)
    await writeFile(file, blockOf(language))
    const hook = await server.hook({ isPaused: true })
    const program = new Program(command, file, hook.secret)
    try {
      const url = await program.url()
      const { version } = await server.webhook(hook)
      await server.admin('PUT', `webhook/${hook.id}`, { url, version })
      const { id } = await server.admin<{ id: string }>('POST', `webhook/${hook.id}/test`)
      await expect.poll(async () => (await server.delivery(id)).state).toBe('DELIVERED')
      await server.admin('POST', `webhook/${hook.id}/secret`)
      await server.rows(`update "webhook_delivery" set "state" = 'WAITING', "dueAt" = now() where "id" = '${id}'`)
      await expect.poll(async () => (await server.delivery(id)).attempts).toBe(2)
      expect((await server.settled(hook, 2)).statusCode).toBe(204)
      const forged = await fetch(url, {
        method: 'POST',
        headers: {
          'webhook-id': 'a',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{"type":"webhook.test"}',
      })
      expect(forged.status).toBe(401)
      await server.rows(`update "webhookSecret" set "until" = now() where "webhookId" = '${hook.id}' and "until" is not null`)
      const other = await server.admin<{ id: string }>('POST', `webhook/${hook.id}/test`)
      await expect.poll(async () => (await server.delivery(other.id)).statusCode).toBe(401)
      expect(program.output.trim().split('\n').slice(1)).toEqual([`${id} webhook.test`])
    } finally {
      program.end()
    }
  })

  it('names every kind of event and every setting', () => {
    const settings = Object.values(variables).flatMap(({ name, about }) => (/webhook/i.test(`${name} ${about}`) ? [name] : []))
    expect(settings).toContain(variables.secretsKey.name)
    for (const name of [...Object.keys(deliveredEvents), ...settings]) expect(page).toContain(`\`${name}`)
  })
})
