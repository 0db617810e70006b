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
  },
  actions: {
    shut: {
      label: ['Shut', 'Закрыть'],
      set: { state: 'SHUT' },
      form: {
        reason: { type: 'text', label: ['Reason', 'Причина'], default: 'Shut by {label}' },
        price: { type: 'integer', label: ['Price', 'Цена'] },
      },
    },
  },
  access: open,
})

export const boothResources = [user, booth] as const
export const boothDefinitions = definitionsOf(boothResources)
