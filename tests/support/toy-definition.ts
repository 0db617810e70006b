import { defineResource } from '#schema/resource.ts'

const staff = ['admin', 'moderator'] as const
const everybody = ['admin', 'moderator', 'service_engineer'] as const

/** A boat with one field of most kinds, actions of each kind, and a crew in a tab. */
export const boat = defineResource({
  name: 'boat',
  route: 'boats',
  label: { one: ['Boat', 'Лодка'], many: ['Boats', 'Лодки'] },
  title: 'code',
  summary: ['code', 'name'],
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, immutable: true, search: true },
    name: { type: 'text', label: ['Name', 'Название'], required: true, maxLength: 20, search: true },
    kind: {
      type: 'enum',
      label: ['Kind', 'Вид'],
      default: 'SAIL',
      options: { SAIL: ['Sail', 'Парус'], MOTOR: ['Motor', 'Мотор'] },
    },
    engine: {
      type: 'text',
      label: ['Engine', 'Двигатель'],
      required: true,
      when: { field: 'kind', op: 'eq', value: 'MOTOR' },
    },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      readOnly: true,
      states: {
        READY: { tone: 'good', label: ['Ready', 'Готова'], next: ['SUNK'] },
        SUNK: { tone: 'bad', label: ['Sunk', 'Затонула'] },
      },
    },
    powerW: { type: 'quantity', label: ['Power', 'Мощность'], unit: 'W', min: 0 },
    ownerId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'sailor' },
    builtOn: { type: 'date', label: ['Built', 'Построена'] },
    soldOn: { type: 'date', label: ['Sold', 'Продана'] },
    secretNote: { type: 'text', label: ['Secret note', 'Тайная заметка'], access: { read: ['admin'] } },
    berth: {
      type: 'group',
      label: ['Berth', 'Причал'],
      fields: {
        pier: { type: 'text', label: ['Pier', 'Пирс'], required: true },
        place: { type: 'integer', label: ['Place', 'Место'], min: 1 },
      },
    },
    log: { type: 'longText', label: ['Log', 'Журнал'], detailOnly: true },
  },
  why: [
    { when: { field: 'log', op: 'eq', value: 'Wreck' }, tone: 'bad', text: ['A wreck.', 'Обломки.'] },
    {
      when: { field: 'state', op: 'eq', value: 'SUNK' },
      tone: 'state',
      since: { state: 'state', at: 'createdAt' },
      text: [
        'it leaks[ ({secretNote})][, sold on {soldOn}]. Pumped {updatedAt.ago}:',
        'она течёт[ ({secretNote})][, продана {soldOn}]. Откачана {updatedAt.ago}:',
      ],
      tab: 'crew',
    },
    {
      when: { field: 'kind', op: 'eq', value: 'MOTOR' },
      tone: 'info',
      text: ['Ask the owner:', 'Спросите владельца:'],
      record: 'ownerId',
    },
  ],
  list: {
    columns: ['code', 'name', 'state', 'powerW', 'ownerId', 'berth.place'],
    filters: ['state', 'kind'],
    sort: { field: 'code', order: 'asc' },
    bulk: ['paint'],
    tone: { bad: { field: 'state', op: 'eq', value: 'SUNK' } },
    facet: { field: 'kind', from: 'boat/kinds' },
    views: { sunk: { label: ['Sunk', 'Затонувшие'], filters: { state: ['SUNK'] } } },
  },
  sections: {
    identity: ['code', 'name', 'kind', 'engine', 'state', 'powerW', 'ownerId', 'builtOn', 'soldOn', 'secretNote'],
    location: ['berth'],
    notes: ['log'],
  },
  tabs: {
    crew: {
      label: ['Crew', 'Команда'],
      resource: 'sailor',
      from: 'boat/{id}/crew',
      columns: ['name'],
      actions: ['hire'],
      rowActions: ['dismiss'],
    },
    radio: { label: ['Radio', 'Рация'], widget: 'radio' },
    papers: { label: ['Papers', 'Бумаги'], roles: ['admin'], sections: ['notes'] },
  },
  actions: {
    sink: {
      label: ['Sink', 'Затопить'],
      when: { field: 'state', op: 'eq', value: 'READY' },
      confirm: { danger: true, typeToConfirm: 'code', body: ['The boat is lost.', 'Лодка будет потеряна.'] },
      success: ['The boat is sunk', 'Лодка затоплена'],
    },
    raise: { label: ['Raise', 'Поднять'], when: { field: 'state', op: 'eq', value: 'SUNK' } },
    paint: {
      label: ['Paint', 'Покрасить'],
      roles: staff,
      form: {
        colour: { type: 'text', label: ['Colour', 'Цвет'], required: true, maxLength: 10 },
        coats: { type: 'integer', label: ['Coats', 'Слоёв'], min: 1 },
      },
      success: ['The boat is painted', 'Лодка покрашена'],
      refresh: ['sailor'],
    },
    hire: {
      label: ['Hire', 'Нанять'],
      form: { sailorId: { type: 'reference', label: ['Sailor', 'Моряк'], required: true, to: 'sailor' } },
    },
    dismiss: {
      label: ['Dismiss', 'Уволить'],
      on: 'row',
      body: { sailorId: '$row.id' },
      when: { field: 'name', op: 'ne', value: 'Captain' },
    },
    inventory: { label: ['Take inventory', 'Инвентаризация'], on: 'list', roles: ['admin'] },
  },
  access: { list: everybody, create: staff, edit: staff, delete: ['admin'] },
  rules: [
    {
      rule: {
        any: [
          { field: 'soldOn', op: 'null', value: true },
          { field: 'soldOn', op: 'gte', value: '$record.builtOn' },
        ],
      },
      at: 'soldOn',
      message: ['A boat is sold after it was built', 'Лодка продана раньше, чем построена'],
    },
  ],
})

export const sailor = defineResource({
  name: 'sailor',
  label: { one: ['Sailor', 'Моряк'], many: ['Sailors', 'Моряки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Имя'], required: true, search: true },
    email: { type: 'email', label: ['E-mail', 'Почта'] },
  },
  tabs: {
    boats: { label: ['Boats', 'Лодки'], resource: 'boat', opens: 'boat' },
    past: { label: ['Former boats', 'Бывшие лодки'], resource: 'boat', from: 'sailor/{id}/past' },
  },
  access: { list: staff, create: staff, edit: staff, delete: staff },
})
