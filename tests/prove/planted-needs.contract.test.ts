import { afterEach, describe, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import type { Rule } from '#schema/rule.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { hutWith } from './planted-definitions.ts'
import type { Proven } from './proven.ts'
import { referenceFieldsOf, refusesWrongReferences } from './reference-checks.ts'
import { leftOut } from './skipped-checks.ts'
import { judged, trialsOf } from './step-trials.ts'
import { formValues } from './step-values.ts'
import { stateFieldOf, stepsOf, taken } from './steps.ts'
import { Subject } from './subject.ts'
import { givesBack, openFieldsOf } from './value-checks.ts'

const label = ['Field', 'Поле'] as const

/** Records whose owner no form asks for, as that of a system is set by an action. */
const yard: AnyResource = {
  name: 'yard',
  label: { one: ['Yard', 'Двор'], many: ['Yards', 'Дворы'] },
  title: 'name',
  fields: {
    name: { type: 'text', label, required: true },
    ownerId: { type: 'reference', label, to: 'user', readOnly: true },
  },
  access: { list: ['admin', 'moderator'], create: ['admin', 'moderator'], edit: ['admin'], delete: ['admin'] },
}
const owner = { type: 'reference', label, to: 'user', required: true } as const
const ofOwner = { label, to: 'yard', options: 'yard?ownerId={keeperId}' } as const

describe.each(oneEngine(import.meta.filename))('what a new record needs on $name', (engine) => {
  let subject: Subject | undefined
  afterEach(async () => {
    await subject?.server.close()
    subject = undefined
  })

  const opened = async (of: Proven): Promise<Subject> => {
    subject = await Subject.open(engine, of)
    return subject
  }

  it('is made where the options of a reference depend on a field that no form of them has', async () => {
    const fields = {
      yardId: { ...ofOwner, type: 'reference', required: true },
      yardIds: { ...ofOwner, type: 'references' },
      keeperId: owner,
    } as const
    const of = hutWith({ fields }, {}, [yard])
    const one = await opened(of)
    expect(one.unmade).toBeUndefined()
    await givesBack(one, openFieldsOf(of))
    for (const field of referenceFieldsOf(of).filter(({ name }) => name.startsWith('yard')))
      await refusesWrongReferences(one, field)
    expect(leftOut().filter((line) => line.startsWith('yard'))).toEqual([])
  })

  it('is never alike under a composite key, however often it is brought to one caller', async () => {
    const kind = { type: 'enum', label, required: true, options: { A: ['A', 'А'], B: ['B', 'Б'] } } as const
    const scope = { client: { field: 'keeperId', op: 'eq', value: '$user.id' } } as const
    const one = await opened(hutWith({ fields: { keeperId: owner, kind }, scope, unique: [['keeperId', 'kind']] }))
    for (let turn = 0; turn < 3; turn += 1) {
      const { id } = await one.made()
      await one.bringTo(id, { role: 'client', userId: 'c1' })
      expect((await one.row(id))?.keeperId).toBe('c1')
    }
  })

  it('is new under a composite key of a choice and a number, or a day, as often as one is made', async () => {
    const kind = { type: 'enum', label, required: true, options: { A: ['A', 'А'], B: ['B', 'Б'] } } as const
    const number = { type: 'integer', label, required: true, min: 1, max: 99_999 } as const
    const fields = { kind, number, heldOn: { type: 'date', label, required: true } } as const
    const one = await opened(
      hutWith({
        fields,
        unique: [
          ['kind', 'number'],
          ['kind', 'heldOn'],
        ],
      }),
    )
    for (let turn = 0; turn < 120; turn += 1) expect((await one.made()).id).toBeDefined()
  })

  it('is made though a composite key has few values', async () => {
    const kind = { type: 'enum', label, required: true, options: { A: ['A', 'А'], B: ['B', 'Б'] } } as const
    const one = await opened(hutWith({ fields: { kind, isOpen: { type: 'boolean', label } }, unique: [['kind', 'isOpen']] }))
    for (let turn = 0; turn < 5; turn += 1) expect((await one.made()).id).toBeDefined()
  })

  it('is a file of the form of an action, also where a role sends it that the action refuses', async () => {
    const photo = { type: 'file', label, required: true, accept: '.png' } as const
    const shut = { label, roles: ['admin'], set: { state: 'SHUT' }, form: { photo } } as const
    const of = hutWith({ actions: { shut } })
    const one = await opened(of)
    const record = await one.made()
    const values = await formValues(one.maker, of.resource, { action: shut, role: 'client', record })
    expect(Object.keys(values)).toEqual(['photo'])
    expect((await one.server.put(`hut/${record.id}/shut`, { ...values, version: 1 }, 'client')).status).toBe(403)
    expect((await one.server.put(`hut/${record.id}/shut`, { ...values, version: 1 })).status).toBe(200)
  })

  const pieces = { type: 'integer', label, default: 4, min: 0 } as const
  const isEmpty = { field: 'pieces', op: 'eq', value: 0 } as const
  const ruled = (rule: Rule) =>
    hutWith({ fields: { pieces }, rules: [{ rule, at: 'pieces', message: ['None is left', 'Не осталось'] }] })
  const verdicts = async (of: Proven) => {
    const { maker } = await opened(of)
    const state = stateFieldOf(of.resource) ?? expect.fail()
    const { trials } = await trialsOf(maker, state)
    return trials.flatMap((trial) => {
      const { fault, leftOut: why } = judged(maker, state, trial)
      return fault || why ? [`${trial.step.name} from ${trial.before.state}: ${fault ?? why}`] : []
    })
  }

  it('is another value in the form of a state that a rule ties to it', async () => {
    const of = ruled({ any: [{ field: 'state', op: 'ne', value: 'SHUT' }, isEmpty] })
    const { maker } = await opened(of)
    const state = stateFieldOf(of.resource) ?? expect.fail()
    const step = stepsOf(of.resource, state).find(({ name }) => name === 'the form to SHUT') ?? expect.fail()
    const record = await maker.shown(of.resource, (await maker.made(of.resource)).id)
    const answer = await taken(maker, of.resource, { step, state, record })
    expect([answer.status, answer.sent]).toEqual([200, { state: 'SHUT', pieces: 0, version: 1 }])
  })

  it('is told as not tried where no value of the form keeps the rule', async () => {
    const of = ruled({ field: 'state', op: 'ne', value: 'SHUT' })
    expect((await verdicts(of)).filter((line) => line.startsWith('the form to SHUT from OPEN'))).toEqual([
      'the form to SHUT from OPEN: no made-up values of its form keep the rules of the definition beside the record',
    ])
  })
})
