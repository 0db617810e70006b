import { access } from './access.ts'
import { databaseFaults } from './database-faults.ts'
import { factors } from './factors.ts'
import { firmware } from './firmware.ts'
import { fleet } from './fleet.ts'
import type { Guard } from './guard.ts'
import { input } from './input.ts'
import { output } from './output.ts'
import { pageFaults } from './page-faults.ts'
import { passkeys } from './passkeys.ts'
import { people } from './people.ts'
import { provider } from './provider.ts'
import { serverFaults } from './server-faults.ts'
import { sessions } from './sessions.ts'
import { webhooks } from './webhooks.ts'

/** Every line of defence that tests are tried on each night. */
export const guards: readonly Guard[] = [
  ...pageFaults,
  ...databaseFaults,
  ...serverFaults,
  ...sessions,
  ...people,
  ...factors,
  ...passkeys,
  ...provider,
  ...access,
  ...input,
  ...output,
  ...fleet,
  ...firmware,
  ...webhooks,
]
