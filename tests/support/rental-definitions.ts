import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { people } from './toy-resource.ts'

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }

/** A tree of places. */
const yard = defineResource({
  name: 'yard',
  label: { one: ['Yard', 'Двор'], many: ['Yards', 'Дворы'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    parentId: { type: 'reference', label: ['Part of', 'Часть'], to: 'yard' },
    neighbourId: { type: 'reference', label: ['Neighbour', 'Сосед'], to: 'yard', circular: true },
  },
  tabs: {
    rental: { label: ['Rentals', 'Аренды'], resource: 'rental', from: 'yard/{id}/rental', match: { yardIds: '$record.id' } },
  },
  actions: {
    move: {
      label: ['Move', 'Переместить'],
      form: { parentId: { type: 'reference', label: ['Part of', 'Часть'], to: 'yard' } },
    },
  },
  access: open,
})

const crane = defineResource({
  name: 'crane',
  label: { one: ['Crane', 'Кран'], many: ['Cranes', 'Краны'] },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    yardId: { type: 'reference', label: ['Yard', 'Двор'], to: 'yard' },
  },
  access: open,
})

/** A contract: values that depend on one another, choices that depend on other choices, a field closed to most. */
const rental = defineResource({
  name: 'rental',
  label: { one: ['Rental', 'Аренда'], many: ['Rentals', 'Аренды'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    kind: {
      type: 'enum',
      label: ['Kind', 'Вид'],
      required: true,
      default: 'BASIC',
      options: { BASIC: ['Basic', 'Обычная'], SPECIAL: ['Special', 'Особая'] },
    },
    terms: { type: 'text', label: ['Terms', 'Условия'], when: { field: 'kind', op: 'eq', value: 'SPECIAL' } },
    deposit: {
      type: 'integer',
      label: ['Deposit', 'Залог'],
      default: 5,
      required: true,
      when: { field: 'kind', op: 'eq', value: 'SPECIAL' },
    },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'DRAFT',
      states: {
        DRAFT: { tone: 'idle', label: ['Draft', 'Черновик'], next: ['RUNNING'] },
        RUNNING: { tone: 'good', label: ['Running', 'Действует'], next: ['OVER'] },
        OVER: { tone: 'idle', label: ['Over', 'Завершена'] },
      },
    },
    origin: {
      type: 'status',
      label: ['Origin', 'Происхождение'],
      starts: ['PHONE', 'MAIL'],
      states: {
        PHONE: { tone: 'idle', label: ['Phone', 'Телефон'], next: ['SIGNED'] },
        MAIL: { tone: 'idle', label: ['Mail', 'Письмо'], next: ['SIGNED'] },
        SIGNED: { tone: 'good', label: ['Signed', 'Подписана'] },
      },
    },
    fee: { type: 'decimal', label: ['Fee', 'Плата'], access: { write: ['admin'] } },
    office: {
      type: 'group',
      label: ['Office', 'Контора'],
      fields: {
        room: { type: 'text', label: ['Room', 'Комната'] },
        pin: { type: 'text', label: ['Pin', 'Код'], access: { write: ['admin'] } },
      },
    },
    endsOn: { type: 'date', label: ['Ends', 'До'] },
    yardId: { type: 'reference', label: ['Yard', 'Двор'], to: 'yard' },
    craneId: { type: 'reference', label: ['Crane', 'Кран'], to: 'crane', options: 'crane?yardId={yardId}' },
    managerId: { type: 'reference', label: ['Manager', 'Менеджер'], to: 'person', options: 'person?kind=ADULT' },
    yardIds: { type: 'references', label: ['Yards', 'Дворы'], to: 'yard' },
    tags: { type: 'tags', label: ['Tags', 'Метки'] },
  },
  actions: {
    prolong: {
      label: ['Prolong', 'Продлить'],
      form: {
        endsOn: { type: 'date', label: ['Ends', 'До'], required: true },
        fee: { type: 'decimal', label: ['Fee', 'Плата'] },
      },
    },
    waive: {
      label: ['Waive', 'Простить'],
      writes: ['fee'],
      form: { fee: { type: 'decimal', label: ['Fee', 'Плата'], required: true } },
    },
    settle: {
      label: ['Settle', 'Рассчитать'],
      form: { amount: { type: 'decimal', label: ['Amount', 'Сумма'] } },
      set: { fee: '$form.amount' },
    },
    double: { label: ['Double', 'Удвоить'], set: { fee: 99 } },
    copy: { label: ['Copy', 'Скопировать'], set: { fee: '$record.deposit' } },
    stamp: { label: ['Stamp', 'Отметить'], body: { fee: 98 } },
    halve: { label: ['Halve', 'Уполовинить'], writes: ['fee'], set: { fee: 5 } },
    house: {
      label: ['House', 'Разместить'],
      form: {
        office: {
          type: 'group',
          label: ['Office', 'Контора'],
          fields: { room: { type: 'text', label: ['Room', 'Комната'] }, pin: { type: 'text', label: ['Pin', 'Код'] } },
        },
      },
    },
    assign: {
      label: ['Assign', 'Назначить'],
      form: {
        craneId: { type: 'reference', label: ['Crane', 'Кран'], to: 'crane', options: 'crane?yardId={yardId}' },
        managerId: { type: 'reference', label: ['Manager', 'Менеджер'], to: 'person', options: 'person?kind=ADULT' },
      },
    },
    retype: {
      label: ['Change kind', 'Сменить вид'],
      form: {
        kind: { type: 'enum', label: ['Kind', 'Вид'], options: ['BASIC', 'SPECIAL'] },
        terms: { type: 'text', label: ['Terms', 'Условия'], when: { field: 'kind', op: 'eq', value: 'SPECIAL' } },
      },
    },
  },
  access: open,
})

export const rentalDefinitions = definitionsOf([yard, crane, rental, people])
