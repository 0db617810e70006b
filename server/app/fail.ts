import { ConfigError } from '#server/base/config.ts'
import { StartError } from '#server/base/start-error.ts'
import { BackupError } from '#server/db/backup/manifest.ts'

const isExplained = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof StartError || error instanceof BackupError

/** Ends the process with code 1; a stack is printed only for a failure that its message does not explain. */
export function fail(error: unknown): never {
  console.error(isExplained(error) ? error.message : error)
  process.exit(1)
}
