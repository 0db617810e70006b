import { isStored } from '#server/engine/sql/column-types.ts'
import type { Maker } from './maker.ts'
import type { Json } from './proven.ts'
import { hasOwnRules, type StateField, type Step, type Taken, taken, verdictOf, Ways } from './steps.ts'
import { codeOf, Unmade } from './transport.ts'

/** A step that was tried on a record; `why`: the reason for which it could not be. */
export type Trial = { step: Step; verdict: string; before: Json; after: Json; answer: Taken | undefined; why?: string }
export type Trials = { state: StateField; trials: Trial[]; unreached: string[] }

async function triedOn(ways: Ways, step: Step, record: Json): Promise<Trial> {
  const { maker, of, state } = ways
  const verdict = verdictOf(of, { step, state, record })
  const before = await ways.shown(record.id)
  try {
    const answer = verdict === 'same' ? undefined : await taken(maker, of, { step, state, record })
    return { step, verdict, before, after: await ways.shown(record.id), answer }
  } catch (error) {
    if (!(error instanceof Unmade)) throw error
    return { step, verdict, before, after: before, answer: undefined, why: error.message }
  }
}

/** Every step on a record in every state that steps lead to. */
export async function trialsOf(maker: Maker, state: StateField): Promise<Trials> {
  const of = maker.proven.resource
  const ways = new Ways(maker, of, state)
  const trials: Trial[] = []
  await ways.explore(async ({ step, record }) => {
    const trial = await triedOn(ways, step, record)
    trials.push(trial)
    return trial.answer && trial.answer.status < 300 && trial.verdict === 'open' ? trial.after : undefined
  })
  const unreached = Object.keys(state.field.states).filter((name) => !ways.reached().includes(name))
  return { state, trials, unreached }
}

export type Judgement = { fault?: string; leftOut?: string }

const refusals = ['transition', 'action.wrong-state', 'edit.wrong-state']

/** The answer of a step, and the values that it was sent with. */
const toldOf = ({ status, text, sent }: Taken) => `${status} ${text}; sent was ${JSON.stringify(sent)}`

function ofOpen(maker: Maker, { name, field }: StateField, { step, before, after, answer }: Trial): Judgement {
  if (!answer) return {}
  const code = codeOf(answer)
  const isRefused = answer.status >= 300
  const mayRefuse = answer.status < 500 && !refusals.includes(code) && hasOwnRules(maker.proven, maker.proven.resource, step)
  if (isRefused && mayRefuse) return { leftOut: `a rule of the server refuses it (${code})` }
  if (isRefused) return { fault: `it is allowed and refused: ${toldOf(answer)}` }
  const [from, to] = [String(before[name]), String(after[name])]
  if (step.to !== undefined) return to === step.to ? {} : { fault: `the record is ${to} and not ${step.to}` }
  const next = isStored(field) ? field.states[from]?.next : undefined
  return to === from || !next || next.includes(to) ? {} : { fault: `the record is ${to}, which does not follow ${from}` }
}

function ofClosed(maker: Maker, { name }: StateField, { step, verdict, before, after, answer }: Trial): Judgement {
  if (!answer) return {}
  if (answer.status < 300) return { fault: `it goes through, ${verdict} is expected` }
  if (after[name] !== before[name] || after.version !== before.version)
    return { fault: 'it is refused, and the record is changed' }
  if (answer.status === 409 && codeOf(answer) === verdict) return {}
  const isOwn = answer.status < 500 && hasOwnRules(maker.proven, maker.proven.resource, step)
  const text = `it is refused as ${codeOf(answer)} and not as ${verdict}`
  return isOwn ? { leftOut: `${text}, by a rule of the server` } : { fault: `${text}: ${toldOf(answer)}` }
}

/** Result of a trial: a fault, or a check that could not be made. */
export function judged(maker: Maker, state: StateField, trial: Trial): Judgement {
  if (trial.why !== undefined) return { leftOut: trial.why }
  return trial.verdict === 'open' ? ofOpen(maker, state, trial) : ofClosed(maker, state, trial)
}
