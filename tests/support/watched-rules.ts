import { type Evaluation, evaluate, type OpenWarning, type WarningMemory } from '#server/fleet/warning/evaluate.ts'
import { overridesOf, type RuleFacts } from '#server/fleet/warning/rule-facts.ts'
import { sampleRules } from '#server/fleet/warning/rules.ts'
import { healthy, home } from '#tests/server/frames/sample-frames.ts'

export const watchStart = Date.parse('2026-03-02T12:00:00Z')

/** Facts of a sample of the healthy board in a home of 200 Ah, with other values. */
export const ruleFacts = (values: RuleFacts['values'], more: Partial<RuleFacts> = {}): RuleFacts => ({
  values: { ...healthy, cellDeltaMv: 8, ...values },
  site: home,
  capacityAh: 200,
  ownUseW: null,
  socMinPct: 10,
  clockOffS: 0,
  startsInHour: 0,
  ...more,
})

/** A board whose samples are held against the rules one after the other. */
export class WatchedRules {
  memory: WarningMemory = {}
  readonly open = new Map<string, OpenWarning>()
  overrides = overridesOf([])
  #atMs = watchStart

  /** Lets some seconds pass, and a sample come. */
  see(afterS: number, values: RuleFacts['values'], more: Partial<RuleFacts> = {}): Evaluation {
    this.#atMs += afterS * 1000
    const { memory, open, overrides } = this
    const result = evaluate(sampleRules, { facts: ruleFacts(values, more), atMs: this.#atMs, memory, open, overrides })
    for (const finding of result.raised) this.open.set(finding.code, finding)
    for (const code of result.cleared) this.open.delete(code)
    this.memory = { pending: result.pending }
    return result
  }
  severityOf = (code: string) => this.open.get(code)?.severity
}
