import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'

describe('two actions that make the same call', () => {
  const base = {
    name: 'a',
    label: { one: ['A', 'А'], many: ['A', 'А'] },
    fields: { name: { type: 'text', label: ['Name', 'Название'] } },
    access: { list: ['admin', 'moderator'] },
  }
  const call = ['PUT', 'a/{id}/rest']
  const faultsOf = (close: object, open: object) =>
    checkResources([
      {
        ...base,
        actions: {
          close: { label: ['Close', 'Закрыть'], roles: ['admin'], call, ...close },
          open: { label: ['Open', 'Открыть'], roles: ['admin'], call, ...open },
        },
      },
    ]).flatMap(({ code, path }) => (code === 'duplicate-call' ? [path] : []))
  const twice = ['a.actions.open.call']

  it('are a fault where one role has both, since nothing tells what it means', () => {
    expect(faultsOf({ roles: ['admin'] }, { roles: ['moderator'] })).toEqual([])
    expect(faultsOf({ roles: ['admin', 'moderator'] }, { roles: ['moderator'] })).toEqual(twice)
  })

  it('are none where a constant, or the lack of a required value, tells them apart', () => {
    const until = { type: 'dateTime', label: ['Until', 'До'] }
    const required = { form: { until: { ...until, required: true } } }
    expect(faultsOf(required, { body: { until: null } })).toEqual([])
    expect(faultsOf({ body: { state: 'ON' } }, { body: { state: 'OFF' } })).toEqual([])
    expect(faultsOf({ form: { until } }, { body: { until: null } })).toEqual(twice)
    expect(faultsOf(required, {})).toEqual(twice)
    expect(faultsOf({ body: { state: 'ON' } }, { body: { state: 'ON' } })).toEqual(twice)
  })
})
