import { describe, expect, it } from 'vitest'
import type { Guard } from '#schema/facts/action-facts.ts'
import type { Fields } from '#schema/field-types.ts'
import { lockGuarded, touchedNames, withConfirmation } from '#views/actions/action-guard.ts'
import { changedParts, mergeParts, partConflicts } from '#views/form/merge/merge-parts.ts'

const form: Fields = {
  limits: {
    type: 'group',
    label: ['Limits', 'Пределы'],
    fields: {
      speed: { type: 'integer', label: ['Speed', 'Скорость'] },
      heat: { type: 'integer', label: ['Heat', 'Нагрев'] },
      light: { type: 'boolean', label: ['Light', 'Свет'] },
    },
  },
  reason: { type: 'text', label: ['Reason', 'Причина'] },
  code: { type: 'text', label: ['Code', 'Код'] },
}
const guard: Guard = {
  group: 'limits',
  fields: 'danger.names',
  refusal: 'danger.why',
  confirm: 'code',
  equals: 'code',
  ask: ['Type {value}', 'Введите {value}'],
  refusals: { ROLE: ['Not yours', 'Не ваше'] },
}
const base = { limits: { speed: 5, heat: 40, light: true }, reason: null, code: null }
const answer = (why: string | null) => ({ danger: { names: ['heat'], why }, limits: base.limits })
const partsOf = (fields: Fields) => (fields.limits?.type === 'group' ? fields.limits.fields : {})

describe('guarded values of a form', () => {
  it('are only shown, with the reason, to whom they are refused; the others stay as they are', () => {
    expect(partsOf(lockGuarded(form, guard, answer('ROLE')))).toMatchObject({
      heat: { readOnly: true, help: ['Not yours', 'Не ваше'] },
      speed: { type: 'integer' },
    })
    expect(partsOf(lockGuarded(form, guard, answer('ROLE'))).speed).not.toHaveProperty('readOnly')
    expect(lockGuarded(form, guard, answer(null))).toBe(form)
    expect(lockGuarded(form, undefined, answer('ROLE'))).toBe(form)
  })

  it('ask for the typed word when one of them changes, and at no other time', () => {
    const touched = (limits: object) => touchedNames(form, guard, { base, values: { ...base, limits } }, answer(null))
    expect(touched({ ...base.limits, speed: 6 })).toEqual([])
    expect(touched({ ...base.limits, heat: 41 })).toEqual(['heat'])
    expect(Object.keys(withConfirmation(form, guard, 'B-1', []))).toEqual(['limits', 'reason'])
    const asked = withConfirmation(form, guard, 'B-1', ['heat'])
    expect(asked.code).toMatchObject({ required: true, help: ['Type B-1', 'Введите B-1'] })
    expect(partsOf(asked).heat).toMatchObject({ help: ['Type B-1', 'Введите B-1'] })
    expect(partsOf(asked).speed).not.toHaveProperty('help')
    expect(withConfirmation(form, undefined, '', [])).toBe(form)
  })
})

describe('a list with guarded values in its entries', () => {
  const entries: Fields = {
    limits: {
      type: 'group',
      label: ['Limits', 'Пределы'],
      fields: {
        plan: {
          type: 'list',
          label: ['Plan', 'План'],
          fields: {
            from: { type: 'text', label: ['From', 'С'] },
            heat: { type: 'integer', label: ['Heat', 'Нагрев'], danger: true },
          },
        },
      },
    },
  }
  const ofPlan = (why: string | null) => ({ danger: { names: ['plan'], why } })

  it('locks these alone', () => {
    const { plan } = partsOf(lockGuarded(entries, guard, ofPlan('ROLE')))
    expect(plan).not.toHaveProperty('readOnly')
    expect(plan).toMatchObject({ fields: { from: { type: 'text' }, heat: { readOnly: true, help: ['Not yours', 'Не ваше'] } } })
    expect(plan?.type === 'list' && plan.fields.from).not.toHaveProperty('readOnly')
  })

  it('asks for the typed word when an entry with one comes, goes or changes', () => {
    const touched = (before: object[], after: object[]) =>
      touchedNames(entries, guard, { base: { limits: { plan: before } }, values: { limits: { plan: after } } }, ofPlan(null))
    const [calm, hot] = [{ from: '01:00' }, { from: '02:00', heat: 9 }]
    expect(touched([], [calm])).toEqual([])
    expect(touched([calm, hot], [hot])).toEqual([])
    expect(touched([], [hot])).toEqual(['plan'])
    expect(touched([hot], [])).toEqual(['plan'])
    expect(touched([hot], [{ ...hot, from: '03:00' }])).toEqual(['plan'])
  })
})

describe('a form that was overtaken', () => {
  const mine = { base, values: { ...base, limits: { speed: 6, heat: 41, light: true }, reason: 'Faster' } }
  const theirs = { ...base, limits: { speed: 7, heat: 40, light: false } }

  it('has a conflict only where both sides changed one part of a group', () => {
    expect(changedParts(form, mine)).toEqual(['limits.speed', 'limits.heat', 'reason'])
    expect(partConflicts(form, mine, theirs)).toEqual(['limits.speed'])
  })

  it('keeps what was typed over theirs, and what was chosen where both sides differ', () => {
    expect(mergeParts(form, mine, theirs, { 'limits.speed': 7 })).toEqual({
      limits: { speed: 7, heat: 41, light: false },
      reason: 'Faster',
      code: null,
    })
    expect(mergeParts(form, mine, theirs, {})).toMatchObject({ limits: { speed: 6, heat: 41, light: false } })
  })
})
