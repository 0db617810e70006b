import { describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { untriedParts } from './untried-parts.ts'

const label = ['Part', 'Часть'] as const

describe('the parts that a proof does not try', () => {
  it('are those of groups and lists that promise something of their own', () => {
    const fields: Fields = {
      name: { type: 'text', label, access: { read: ['admin'] } },
      place: {
        type: 'group',
        label,
        fields: {
          isFar: { type: 'boolean', label },
          road: { type: 'text', label, when: { field: 'place.isFar', op: 'eq', value: true }, readOnly: true },
          inner: { type: 'group', label, fields: { key: { type: 'secret', label } } },
        },
      },
      lines: {
        type: 'list',
        label,
        fields: {
          cost: { type: 'integer', label, access: { read: ['admin'] } },
          kind: { type: 'enum', label, options: ['A', 'B'] },
          craneId: { type: 'reference', label, to: 'crane', options: 'crane?kind=A' },
        },
      },
    }
    expect(untriedParts(fields)).toEqual([
      { path: 'place.road', facts: ['when', 'readOnly'] },
      { path: 'place.inner.key', facts: ['secret'] },
      { path: 'lines.cost', facts: ['access'] },
      { path: 'lines.craneId', facts: ['options'] },
    ])
  })
})
