import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set by `setup` for the test workers, or by the first use in a program that is no test. */
const variable = 'TEST_RUN_FOLDER'

const madeFolder = () => mkdtempSync(join(tmpdir(), 'ess-run-'))

/** Files that all workers of one run of the tests share. */
export function runFolder(): string {
  const folder = process.env[variable] ?? madeFolder()
  process.env[variable] = folder
  return folder
}

/** Vitest calls this once before the contract tests and its answer once after them. */
export function setup(): () => Promise<void> {
  const folder = madeFolder()
  process.env[variable] = folder
  return () => rm(folder, { recursive: true, force: true })
}
