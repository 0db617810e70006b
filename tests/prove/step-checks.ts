import { describe, expect, it } from 'vitest'
import { notTried } from '#tests/prove/report/not-tried.ts'
import { proven } from './proven.ts'
import { skipCheck } from './skipped-checks.ts'
import { judged, type Trials, trialsOf } from './step-trials.ts'
import { stateFieldOf, stepsOf } from './steps.ts'
import type { Subject } from './subject.ts'

const state = stateFieldOf(proven.resource)
const steps = state ? stepsOf(proven.resource, state) : []

/** Every form and action that changes the status, from every state that they lead to: goes through, or is refused by its code. */
export function stepChecks(subject: () => Subject): void {
  if (!state || steps.length === 0) return skipCheck('transitions', 'no form and no action changes a status')
  describe('goes from state to state', { timeout: 240_000 }, () => {
    const known = new Map<Subject, Promise<Trials>>()
    const trials = (): Promise<Trials> => {
      const found = known.get(subject()) ?? trialsOf(subject().maker, state)
      known.set(subject(), found)
      return found
    }
    it.each(steps)('by $name', async (step) => {
      subject().mustMake('transitions')
      const { trials: all, unreached } = await trials()
      for (const name of unreached) skipCheck(`transitions from ${name}`, 'no form and no action that goes through leads there')
      const own = all.filter((trial) => trial.step.name === step.name)
      expect(own.length, 'states that it was tried in').toBeGreaterThan(0)
      const verdicts = own.map((trial) => ({
        from: String(trial.before[state.name]),
        ...judged(subject().maker, state, trial),
      }))
      for (const { from, leftOut } of verdicts) if (leftOut) skipCheck(`${step.name} from ${from}`, leftOut)
      const faults = verdicts.flatMap(({ from, fault }) => (fault ? [`from ${from}: ${fault}`] : []))
      if (faults.length > 0) expect.fail(faults.join('\n'))
      const [first] = verdicts
      if (first?.leftOut && verdicts.every(({ leftOut }) => leftOut)) notTried(`${step.name} from ${first.from}`, first.leftOut)
    })
  })
}
