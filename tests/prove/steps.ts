import { callOf, isOpenTo, isWritable, mayWrite, pathOf, rolesFor, rolesForAction } from '#schema/definition.ts'
import { constantsOf } from '#schema/facts/shared-calls.ts'
import type { FieldOf } from '#schema/field-types.ts'
import type { Action, AnyResource, Method } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { fieldsOfRule, holds } from '#schema/rule.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import type { Maker } from './maker.ts'
import { addressOf, creatorOf, fieldsOf, type Json, makerOf, type Proven } from './proven.ts'
import { sampleOf } from './samples.ts'
import { filledBy } from './scoped.ts'
import { askedValues, formValues, reasons, stateValues } from './step-values.ts'
import { type Reply, Unmade } from './transport.ts'

export type StateField = { name: string; field: FieldOf<'status'> }
/** One way to another state: the edit form, or an action. `to`: the state that the definition says it leads to. */
export type Step = { name: string; role: Role; to?: string; action?: Action; key?: string }

const recordActions = (of: AnyResource): [string, Action][] =>
  Object.entries<Action>(of.actions ?? {}).filter(
    ([name, action]) => action.on !== 'list' && !action.through && callOf(of, name, action)[0] !== 'GET',
  )

/** True where an action sets the status, sends it, asks for it, or depends on it. */
const isAbout = (name: string, action: Action): boolean =>
  [action.set, action.body, action.form].some((part) => part && Object.hasOwn(part, name)) ||
  (action.when !== undefined && fieldsOfRule(action.when).includes(name))

/** The status that the steps of a definition change; undefined where neither a form nor an action has to do with one. */
export function stateFieldOf(of: AnyResource): StateField | undefined {
  const states = fieldsOf(of).flatMap(([name, field]) => (field.type === 'status' ? [{ name, field }] : []))
  const isOfForm = ({ field }: StateField) => isWritable(field, 'edit') && Object.values(field.states).some(({ next }) => next)
  const ofActions = ({ name }: StateField) => recordActions(of).some(([, action]) => isAbout(name, action))
  return states.find(ofActions) ?? states.find(isOfForm)
}

const stepsByAction = (of: AnyResource, { name, field }: StateField): Step[] =>
  recordActions(of).flatMap(([key, action]): Step[] => {
    const allowed = rolesForAction(of, action)
    const role = allowed.find((one) => one === creatorOf(of)) ?? allowed.find((one) => !of.scope?.[one])
    if (!role || !isAbout(name, action)) return []
    const fixed = action.set?.[name] ?? action.body?.[name]
    if (typeof fixed === 'string' && Object.hasOwn(field.states, fixed)) return [{ name: key, key, role, action, to: fixed }]
    const asked = action.form?.[name]
    if (asked?.type !== 'status') return [{ name: key, key, role, action }]
    return Object.keys(asked.states).map((to) => ({ name: `${key} ${to}`, key, role, action, to }))
  })

function stepsByForm(of: AnyResource, { field }: StateField): Step[] {
  const role = creatorOf(of)
  if (
    !role ||
    !rolesFor(of, 'edit').includes(role) ||
    !isWritable(field, 'edit') ||
    !mayWrite(field, role) ||
    pathOf(of, 'edit') === undefined
  )
    return []
  return Object.keys(field.states).map((to) => ({ name: `the form to ${to}`, role, to }))
}

/** Every step of a definition that has to do with its status. */
export const stepsOf = (of: AnyResource, state: StateField): Step[] => [...stepsByForm(of, state), ...stepsByAction(of, state)]

/** The answer of a step, and the values that it was sent with. */
export type Taken = Reply & { sent: Json }

/** Makes the step on a record as it is shown to the role. */
export async function taken(
  maker: Maker,
  of: AnyResource,
  { step, state, record }: { step: Step; state: StateField; record: Json },
): Promise<Taken> {
  const { action, key = '', role, to } = step
  const { version } = record
  const send = async (method: Method, path: string, body: Json) => ({
    ...(await maker.transport.call(method, path, { as: role, body })),
    sent: body,
  })
  if (!action) {
    const given = { state: state.name, to, role, record }
    // A step that is refused is so before the rest of its form is looked at.
    const isOpen = verdictOf(of, { step, state, record }) === 'open'
    const values = isOpen ? await stateValues(maker, of, given) : { ...(await askedValues(maker, of, given)), [state.name]: to }
    return await send('PUT', addressOf(of, 'edit', record.id), { ...values, version })
  }
  const [method, path] = callOf(of, key, action)
  const asked = action.form?.[state.name] && to !== undefined ? { [state.name]: to } : {}
  const values = await formValues(maker, of, { action, role, record })
  const body = { ...reasons(action, maker.next()), ...values, ...constantsOf(action), ...asked, version }
  return await send(method, path.replace('{id}', String(record.id)), body)
}

/** Outcome of a step by the definition: it goes through, or the code of its refusal. */
export function verdictOf(
  of: AnyResource,
  { step, state, record }: { step: Step; state: StateField; record: Json },
): 'open' | 'same' | string {
  const context = { user: { id: 'u1', role: step.role }, now: '2026-03-02T08:00:00.123Z' }
  const from = String(record[state.name])
  if (step.action?.when && !holds(step.action.when, record, context)) return 'action.wrong-state'
  if (step.to === from) return 'same'
  const isStep = step.to === undefined || !isStored(state.field) || state.field.states[from]?.next?.includes(step.to)
  if (!isStep) return 'transition'
  return step.action || isOpenTo(of, 'edit', record, context) ? 'open' : 'edit.wrong-state'
}

/** True where rules of the server have a say in a step beside the definition. */
export function hasOwnRules({ rules }: Proven, of: AnyResource, { key }: Step): boolean {
  return [of.name, of.subset?.of ?? of.name].some((name) => {
    const own = rules[name]
    const isAction = key !== undefined && (own?.actions?.[key] !== undefined || own?.checks?.[key] !== undefined)
    return isAction || own?.beforeUpdate !== undefined || own?.afterUpdate !== undefined
  })
}

type Tried = (trial: { from: string; step: Step; record: Json }) => Promise<Json | undefined>

/** Records in a state, made and led there by steps that are open: the shortest way to each state. */
export class Ways {
  readonly maker: Maker
  readonly of: AnyResource
  readonly state: StateField
  readonly #ways = new Map<string, readonly Step[]>()

  constructor(maker: Maker, of: AnyResource, state: StateField) {
    this.maker = maker
    this.of = of
    this.state = state
  }

  stateIn = (record: Json): string => String(record[this.state.name])
  shown = (id: unknown, as?: Role): Promise<Json> => this.maker.shown(this.of, id, as)
  reached = (): readonly string[] => [...this.#ways.keys()]

  /** Values that actions ask of a record before they run: a file, a reference, a text that is filled. */
  async #asked(): Promise<Json> {
    const as = makerOf(this.of) ?? 'admin'
    const names = recordActions(this.of).flatMap(([, { when }]) => (when ? filledBy(when) : []))
    const values: Json = {}
    for (const name of new Set(names)) {
      const field = this.of.fields[name]
      if (!field || !isWritable(field, 'create') || !mayWrite(field, as) || field.when) continue
      const value = await this.maker
        .valueOf(this.of, name, field, { as, depth: 0, values })
        .then((found) => found ?? sampleOf(field, this.maker.next()))
        .catch((error: unknown) => {
          if (error instanceof Unmade) return undefined
          throw error
        })
      if (value !== undefined) values[name] = value
    }
    return values
  }

  /** A new record that has gone this way. */
  async led(way: readonly Step[]): Promise<Json> {
    let record = await this.shown((await this.maker.made(this.of, await this.#asked())).id)
    for (const step of way) {
      const answer = await taken(this.maker, this.of, {
        step,
        state: this.state,
        record: await this.shown(record.id, step.role),
      })
      if (answer.status >= 300) throw new Error(`${step.name} is refused the second time: ${answer.text}`)
      record = await this.shown(record.id)
    }
    return record
  }

  /** Finds every state that can be reached, and calls with each record and step that was tried. */
  async explore(tried: Tried, isOver = () => false): Promise<void> {
    const first = await this.led([])
    this.#ways.set(this.stateIn(first), [])
    for (const [from, way] of this.#ways)
      for (const step of stepsOf(this.of, this.state)) {
        if (isOver()) return
        const { id } = await this.led(way)
        const after = await tried({ from, step, record: await this.shown(id, step.role) })
        const to = after && this.stateIn(after)
        if (to !== undefined && !this.#ways.has(to)) this.#ways.set(to, [...way, step])
      }
  }
}

/** Leads new records of a definition through their states until one is wanted. */
export async function reachWanted(
  maker: Maker,
  of: AnyResource,
  isWanted: (record: Json) => Promise<boolean>,
): Promise<Json | undefined> {
  const state = stateFieldOf(of)
  if (!state || !makerOf(of)) return undefined
  let found: Json | undefined
  const ways = new Ways(maker, of, state)
  const tried: Tried = async ({ step, record }) => {
    if (verdictOf(of, { step, state, record }) !== 'open') return undefined
    const answer = await taken(maker, of, { step, state, record }).catch((error: unknown) => {
      if (error instanceof Unmade) return { status: 400 }
      throw error
    })
    const after = answer.status < 300 ? await ways.shown(record.id) : undefined
    if (after && (await isWanted(after))) found = after
    return after
  }
  await ways.explore(tried, () => found !== undefined)
  return found
}
