import { fail } from './app/fail.ts'
import { runPlan } from './app/plan-command.ts'

// Plan by itself: loading the rest of the server from its sources takes a fifth of the time of a plan.
process.exitCode = await runPlan(process.argv.slice(2), process.env, { print: console.log }).catch(fail)
