import { withoutEnded, withRaised } from '#server/fleet/warning/course/open-warnings.ts'
import { type Evaluation, evaluate, type OpenWarning, type WarningMemory } from '#server/fleet/warning/evaluate.ts'
import { evaluateEvent, type FlagEvent } from '#server/fleet/warning/evaluate-event.ts'
import { metersAfter } from '#server/fleet/warning/meter-window.ts'
import { overridesOf, type RuleFacts } from '#server/fleet/warning/rule-facts.ts'
import { flagRules, sampleRules } from '#server/fleet/warning/sample-rules.ts'
import { healthy, home } from '#tests/server/frames/sample-frames.ts'

export const watchStart = Date.parse('2026-03-02T12:00:00Z')

/** Facts of a sample of the healthy board in a home of 200 Ah, with other values. */
export const ruleFacts = (values: RuleFacts['values'], more: Partial<RuleFacts> = {}): RuleFacts => ({
  values: { ...healthy, cellDeltaMv: 8, ...values },
  site: home,
  capacityAh: 200,
  ownUseW: null,
  gridPhases: null,
  gridNominalV: null,
  gridNominalHz: null,
  socMinPct: 10,
  clockOffS: 0,
  startsInHour: 0,
  ...more,
})

/** A board whose samples are held against the rules one after the other. */
export class WatchedRules {
  memory: WarningMemory = {}
  open: readonly OpenWarning[] = []
  overrides = overridesOf([])
  #atMs = watchStart
  readonly #silenceMs: number

  /** `silenceS`: after so long without a word nothing is known to have lasted. */
  constructor(silenceS = 180) {
    this.#silenceMs = silenceS * 1000
  }

  /** Lets some seconds pass, and a sample come. */
  see(afterS: number, values: RuleFacts['values'], more: Partial<RuleFacts> = {}): Evaluation {
    this.#atMs += afterS * 1000
    const alone = ruleFacts(values, more)
    const { meters = [] } = metersAfter(this.memory, alone, { atMs: this.#atMs, silenceMs: this.#silenceMs })
    const facts = { ...alone, metersOffPct: meters.map(({ offPct }) => offPct) }
    this.memory = { ...this.memory, ...(meters.length > 0 ? { meters } : {}) }
    return this.#apply(evaluate(sampleRules, this.#moment(facts)))
  }
  /** The same is measured every minute for so long, at last at its end. */
  during(forS: number, values: RuleFacts['values'], more: Partial<RuleFacts> = {}): Evaluation {
    let leftS = forS
    for (; leftS > 60; leftS -= 60) this.see(60, values, more)
    return this.see(leftS, values, more)
  }
  /** Lets some seconds pass, and an event come. */
  hear(afterS: number, event: FlagEvent): Evaluation {
    this.#atMs += afterS * 1000
    return this.#apply(evaluateEvent(flagRules, event, this.#moment(ruleFacts({}))))
  }
  severityOf = (code: string) => this.open.find((one) => one.code === code)?.severity

  #moment(facts: RuleFacts) {
    const { memory, open, overrides } = this
    return { facts, atMs: this.#atMs, memory, open, overrides, silenceMs: this.#silenceMs }
  }
  #apply(result: Evaluation): Evaluation {
    for (const finding of result.raised) this.open = withRaised(this.open, finding)
    this.open = withoutEnded(this.open, result.cleared)
    this.memory = { ...this.memory, pending: result.pending }
    return result
  }
}
