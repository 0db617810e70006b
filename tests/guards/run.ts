import { availableParallelism } from 'node:os'
import { ChangedCopy } from './changed-copy.ts'
import type { Guard } from './guard.ts'
import { guards } from './guards.ts'

/** Two tests at a time, as the test run has it, where there are processors for them. */
const lanes = Math.min(2, availableParallelism())

const wanted = process.argv.slice(2)
const isWanted = ({ against, file, shownBy }: Guard) =>
  wanted.length === 0 || wanted.some((word) => [against, file, ...shownBy].join('\n').includes(word))

const waiting = guards.filter(isWanted)
if (waiting.length === 0) throw new Error(`No guard has ${wanted.join(' or ')} in its row`)
let shown = 0
const unshown: string[] = []

async function work(): Promise<void> {
  const copy = await ChangedCopy.make()
  try {
    for (let guard = waiting.shift(); guard; guard = waiting.shift()) {
      const { isShown, says } = await copy.tryWithout(guard)
      const line = `${guard.against} (${guard.file}): ${says}`
      if (isShown) shown += 1
      else unshown.push(line)
      console.log(`${isShown ? 'noticed' : 'UNNOTICED'}  ${line}`)
    }
  } finally {
    await copy.remove()
  }
}

await Promise.all(Array.from({ length: lanes }, work))
console.log(`\n${shown} guards were noticed by their tests, ${unshown.length} were not`)
for (const line of unshown) console.log(`failed: ${line}`)
process.exit(unshown.length === 0 ? 0 : 1)
