import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type CheckResult = { ok: boolean; text: string }

/** Runs the checker as `npm run check` does, on the files as they are now, and answers its very words. */
export async function checkDefinitions(root: string): Promise<CheckResult> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/check.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.stderr.on('data', (part: Buffer) => parts.push(part))
  const [code] = await once(child, 'close')
  return { ok: code === 0, text: Buffer.concat(parts).toString().trim() }
}
