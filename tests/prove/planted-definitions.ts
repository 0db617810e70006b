import type { Field } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'
import { type Proven, provenOf } from './proven.ts'

const staff = ['admin', 'moderator'] as const

/** Another fact of a part of the hut: as a server has it that does not keep to the definition. */
export type Change = {
  fields?: Readonly<Record<string, Field>>
  actions?: Readonly<Record<string, Action>>
  rules?: AnyResource['rules']
  unique?: AnyResource['unique']
  scope?: AnyResource['scope']
}

/** References, files, and a state that a form and actions change. */
const hut = ({ fields, actions, rules, unique, scope }: Change): AnyResource => ({
  name: 'hut',
  label: { one: ['Hut', 'Хижина'], many: ['Huts', 'Хижины'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    keeperId: { type: 'reference', label: ['Keeper', 'Хранитель'], to: 'user', options: 'user?firstName=Ann' },
    guestIds: { type: 'references', label: ['Guests', 'Гости'], to: 'user', maxItems: 2 },
    photo: { type: 'file', label: ['Photo', 'Фото'], accept: '.png', maxBytes: 5_000 },
    papers: { type: 'files', label: ['Papers', 'Документы'], maxItems: 2 },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'OPEN',
      states: {
        OPEN: { tone: 'good', label: ['Open', 'Открыта'], next: ['SHUT'] },
        SHUT: { tone: 'idle', label: ['Shut', 'Закрыта'], next: ['OPEN', 'GONE'] },
        GONE: { tone: 'bad', label: ['Gone', 'Разобрана'] },
      },
    },
    ...fields,
  },
  actions: {
    shut: { label: ['Shut', 'Закрыть'], set: { state: 'SHUT' }, when: { field: 'state', op: 'eq', value: 'OPEN' } },
    remove: { label: ['Remove', 'Разобрать'], set: { state: 'GONE' }, when: { field: 'state', op: 'eq', value: 'SHUT' } },
    ...actions,
  },
  access: { list: scope ? [...staff, 'client'] : staff, create: staff, edit: staff, delete: staff },
  ...(scope ? { scope } : {}),
  ...(rules ? { rules } : {}),
  ...(unique ? { unique } : {}),
})

/** The definition as it is, or with a change, beside rules of a server. `others`: resources that a change points to. */
export const hutWith = (change: Change = {}, rules: RulesByResource = {}, others: readonly AnyResource[] = []): Proven =>
  provenOf('hut', [...boothResources.filter(({ name }) => name === 'user'), ...others, hut(change)], rules)
