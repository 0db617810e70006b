import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { people } from './toy-resource.ts'

const staff = ['admin', 'moderator'] as const

/** A record with files: one picture, several papers, one that only admins may see and change, and one for an action. */
const album = defineResource({
  name: 'album',
  label: { one: ['Album', 'Альбом'], many: ['Albums', 'Альбомы'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    keeperId: { type: 'text', label: ['Keeper', 'Хранитель'] },
    photo: { type: 'file', label: ['Photo', 'Фото'], accept: '.png,image/jpeg', maxBytes: 20_000 },
    papers: { type: 'files', label: ['Papers', 'Документы'], maxItems: 2, accept: '.pdf,.txt' },
    scan: { type: 'file', label: ['Scan', 'Скан'], access: { read: ['admin'], write: ['admin'] } },
    receipt: { type: 'file', label: ['Receipt', 'Чек'], readOnly: true },
  },
  list: { columns: ['name', 'photo', 'papers'] },
  actions: {
    'hand-in': {
      label: ['Hand in', 'Сдать'],
      form: { receipt: { type: 'file', label: ['Receipt', 'Чек'], required: true } },
      roles: ['service_engineer', 'admin'],
    },
  },
  access: { list: [...staff, 'service_engineer'], create: staff, edit: staff, delete: staff },
  scope: { service_engineer: { field: 'keeperId', op: 'eq', value: '$user.id' } },
})

export const albumDefinitions = definitionsOf([album, people])
