import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }

const user = defineResource({
  name: 'user',
  label: { one: ['User', 'Пользователь'], many: ['Users', 'Пользователи'] },
  fields: {
    email: { type: 'email', label: ['E-mail', 'Почта'], required: true, unique: true },
    firstName: { type: 'text', label: ['First name', 'Имя'] },
    lastName: { type: 'text', label: ['Last name', 'Фамилия'] },
  },
  import: false,
  access: open,
})

/** A place at a fair: computed defaults, facts by a rule, fields that are unique together. */
export const booth = defineResource({
  name: 'booth',
  label: { one: ['Booth', 'Стенд'], many: ['Booths', 'Стенды'] },
  title: 'label',
  unique: [['hall', 'number', 'heldOn']],
  fields: {
    hall: { type: 'text', label: ['Hall', 'Зал'], required: true },
    number: { type: 'integer', label: ['Number', 'Номер'] },
    heldOn: { type: 'date', label: ['Day', 'День'], default: '$today' },
    label: { type: 'text', label: ['Label', 'Надпись'], required: true, default: '{hall}-{number}' },
    bill: { type: 'text', label: ['Bill', 'Счёт'], default: '{label}' },
    bookedAt: { type: 'dateTime', label: ['Booked', 'Заказан'], readOnly: true, default: '$now' },
    bookedById: { type: 'reference', label: ['Booked by', 'Заказал'], to: 'user', readOnly: true, default: '$user.id' },
    keeperId: { type: 'reference', label: ['Keeper', 'Хранитель'], to: 'user' },
    nextToId: { type: 'reference', label: ['Next to', 'Рядом'], to: 'booth', circular: true },
    guestIds: { type: 'references', label: ['Guests', 'Гости'], to: 'user' },
    desk: {
      type: 'group',
      label: ['Desk', 'Стойка'],
      fields: {
        hostId: { type: 'reference', label: ['Host', 'Хозяин'], to: 'user' },
        helperIds: { type: 'references', label: ['Helpers', 'Помощники'], to: 'user' },
      },
    },
    shifts: {
      type: 'list',
      label: ['Shifts', 'Смены'],
      fields: { personId: { type: 'reference', label: ['Person', 'Человек'], to: 'user', required: true } },
    },
    length: { type: 'duration', label: ['Length', 'Длительность'] },
    deposit: { type: 'money', label: ['Deposit', 'Залог'], currency: 'EUR' },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'OPEN',
      states: {
        OPEN: { tone: 'info', label: ['Open', 'Открыт'], next: ['SHUT'] },
        SHUT: { tone: 'idle', label: ['Shut', 'Закрыт'], next: ['OPEN'] },
      },
    },
    reason: {
      type: 'text',
      label: ['Reason', 'Причина'],
      required: { field: 'state', op: 'eq', value: 'SHUT' },
    },
    price: {
      type: 'integer',
      label: ['Price', 'Цена'],
      readOnly: { field: 'state', op: 'eq', value: 'SHUT' },
    },
    cost: { type: 'integer', label: ['Cost', 'Расходы'], access: { read: ['admin'], write: ['admin'] } },
    remark: { type: 'text', label: ['Remark', 'Замечание'], access: { write: ['admin'] } },
    opensAt: { type: 'dateTime', label: ['Opens', 'Открывается'] },
    closesAt: { type: 'dateTime', label: ['Closes', 'Закрывается'] },
    rooms: { type: 'integer', label: ['Rooms', 'Комнаты'], min: 1, max: 9 },
    keys: { type: 'integer', label: ['Keys', 'Ключи'], min: 1, max: 9 },
  },
  rules: [
    {
      rule: {
        any: [
          { field: 'opensAt', op: 'null', value: true },
          { field: 'closesAt', op: 'null', value: true },
          { field: 'closesAt', op: 'gt', value: '$record.opensAt' },
        ],
      },
      at: 'closesAt',
      message: ['It closes after it opens', 'Закрывается после открытия'],
    },
    {
      rule: {
        any: [
          { field: 'rooms', op: 'null', value: true },
          { field: 'keys', op: 'null', value: true },
          { field: 'keys', op: 'gt', value: '$record.rooms' },
        ],
      },
      at: 'keys',
      message: ['There are more keys than rooms', 'Ключей больше, чем комнат'],
    },
  ],
  actions: {
    shut: {
      label: ['Shut', 'Закрыть'],
      set: { state: 'SHUT' },
      form: {
        reason: { type: 'text', label: ['Reason', 'Причина'], default: 'Shut by {label}' },
        price: { type: 'integer', label: ['Price', 'Цена'] },
      },
    },
    reopen: {
      label: ['Reopen', 'Открыть снова'],
      roles: ['admin'],
      when: { field: 'state', op: 'eq', value: 'SHUT' },
      set: { state: 'OPEN' },
    },
  },
  access: open,
})

/** A tree of records that their own state closes. */
const voucher = defineResource({
  name: 'voucher',
  label: { one: ['Voucher', 'Купон'], many: ['Vouchers', 'Купоны'] },
  title: 'code',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    serial: { type: 'text', label: ['Serial', 'Серия'], unique: true },
    partOfId: { type: 'reference', label: ['Part of', 'Часть'], to: 'voucher' },
    isSent: { type: 'boolean', label: ['Sent', 'Отправлен'], default: false },
    isKept: { type: 'boolean', label: ['Kept', 'Хранится'], default: false },
  },
  when: { edit: { field: 'isSent', op: 'ne', value: true }, delete: { field: 'isKept', op: 'ne', value: true } },
  access: open,
})

const flyer = defineResource({
  name: 'flyer',
  label: { one: ['Flyer', 'Листовка'], many: ['Flyers', 'Листовки'] },
  title: 'code',
  permit: 'isLoose',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    isLoose: { type: 'boolean', label: ['Loose', 'Не закреплена'], default: true },
    prints: { type: 'integer', label: ['Prints', 'Тираж'], min: 0 },
  },
  actions: {
    reprint: {
      label: ['Print again', 'Напечатать ещё'],
      permit: 'isLoose',
      form: { prints: { type: 'integer', label: ['Prints', 'Тираж'], min: 0, required: true } },
    },
  },
  access: open,
})

export const boothResources = [user, booth] as const
export const boothDefinitions = definitionsOf([...boothResources, voucher, flyer])
