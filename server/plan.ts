import { fail } from './app/fail.ts'
import { runPlan } from './app/plan-command.ts'

// Plan alone: loading the rest of the server from its sources would take a sixth of the whole.
process.exitCode = await runPlan(process.argv.slice(2), process.env, { print: console.log }).catch(fail)
