import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'

const everybody = ['admin', 'moderator', 'service_engineer'] as const
const staff = ['admin', 'moderator'] as const

/** A shelf with tabs over what refers to it: by one reference, by many, by one that most may not write, beside a constant. */
const shelf = defineResource({
  name: 'shelf',
  label: { one: ['Shelf', 'Полка'], many: ['Shelves', 'Полки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    colour: { type: 'text', label: ['Colour', 'Цвет'] },
  },
  tabs: {
    books: { label: ['Books', 'Книги'], resource: 'book', create: true, attach: true, detach: true },
    readers: { label: ['Readers', 'Читатели'], resource: 'reader', create: true, attach: true, detach: true },
    scrolls: { label: ['Scrolls', 'Свитки'], resource: 'scroll', create: true, attach: true, detach: true },
    alike: {
      label: ['Books of its colour', 'Книги её цвета'],
      resource: 'book',
      match: { shelfId: '$record.id', colour: '$record.colour', state: 'GOOD' },
      create: true,
      detach: true,
    },
    stickers: { label: ['Stickers', 'Наклейки'], resource: 'sticker', create: true },
    pages: { label: ['Pages', 'Страницы'], resource: 'page', attach: true },
    all: { label: ['Rows of every kind', 'Все'], resource: 'scroll', match: { shelfId: '$record.id' } },
  },
  access: { list: everybody, create: staff },
})

const book = defineResource({
  name: 'book',
  label: { one: ['Book', 'Книга'], many: ['Books', 'Книги'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    shelfId: { type: 'reference', label: ['Shelf', 'Полка'], to: 'shelf' },
    colour: { type: 'text', label: ['Colour', 'Цвет'] },
    state: { type: 'enum', label: ['State', 'Состояние'], options: { GOOD: ['Good', 'Хорошее'], WORN: ['Worn', 'Ветхое'] } },
  },
  access: { list: everybody, create: staff, edit: staff, delete: ['admin'] },
})

const reader = defineResource({
  name: 'reader',
  label: { one: ['Reader', 'Читатель'], many: ['Readers', 'Читатели'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Имя'], required: true, search: true },
    shelfIds: { type: 'references', label: ['Shelves', 'Полки'], to: 'shelf', maxItems: 2 },
  },
  access: { list: everybody, create: everybody, edit: staff },
})

const scroll = defineResource({
  name: 'scroll',
  label: { one: ['Scroll', 'Свиток'], many: ['Scrolls', 'Свитки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    shelfId: { type: 'reference', label: ['Shelf', 'Полка'], to: 'shelf', access: { write: ['admin'] } },
  },
  access: { list: everybody, create: staff, edit: staff },
})

const page = defineResource({
  name: 'page',
  label: { one: ['Page', 'Страница'], many: ['Pages', 'Страницы'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    shelfId: { type: 'reference', label: ['Shelf', 'Полка'], to: 'shelf', required: true },
  },
  access: { list: everybody, create: staff, edit: staff },
})

/** Its shelf is one of its colour: the colour of a new one on a shelf is that of the shelf. */
const sticker = defineResource({
  name: 'sticker',
  label: { one: ['Sticker', 'Наклейка'], many: ['Stickers', 'Наклейки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, search: true },
    colour: { type: 'text', label: ['Colour', 'Цвет'] },
    shelfId: { type: 'reference', label: ['Shelf', 'Полка'], to: 'shelf', options: 'shelf?colour={colour}' },
  },
  access: { list: everybody, create: staff, edit: staff },
})

export const shelfResources = [shelf, book, reader, scroll, page, sticker]
export const shelfDefinitions = definitionsOf(shelfResources)
