import { defineResource } from '#schema/resource.ts'

const everybody = ['admin', 'moderator', 'service_engineer', 'installer', 'client'] as const
const staff = ['admin', 'moderator'] as const

/** Every type of field once, with a few facts each. */
export const toy = defineResource({
  name: 'toy',
  label: { one: ['Toy', 'Игрушка'], many: ['Toys', 'Игрушки'] },
  title: 'code',
  summary: ['code', 'name', 'isOld'],
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true },
    name: { type: 'text', label: ['Name', 'Название'], required: true, maxLength: 20, search: true },
    story: { type: 'longText', label: ['Story', 'История'], detailOnly: true },
    email: { type: 'email', label: ['E-mail', 'Почта'] },
    phone: { type: 'phone', label: ['Phone', 'Телефон'] },
    page: { type: 'url', label: ['Page', 'Страница'] },
    pieces: { type: 'integer', label: ['Pieces', 'Деталей'], min: 1, max: 1000, default: 1 },
    ratio: { type: 'decimal', label: ['Ratio', 'Доля'], digits: 2 },
    fee: { type: 'money', label: ['Fee', 'Плата'], currency: 'EUR', min: 0 },
    powerW: { type: 'quantity', label: ['Power', 'Мощность'], unit: 'W', digits: 1, min: 0 },
    chargePct: { type: 'percent', label: ['Charge', 'Заряд'] },
    sizeBytes: { type: 'bytes', label: ['Size', 'Размер'] },
    isLoud: { type: 'boolean', label: ['Loud', 'Громкая'] },
    colour: { type: 'enum', label: ['Colour', 'Цвет'], options: { RED: ['Red', 'Красный'], BLUE: ['Blue', 'Синий'] } },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'NEW',
      states: {
        NEW: { tone: 'info', label: ['New', 'Новая'], next: ['USED'] },
        USED: { tone: 'good', label: ['Used', 'В ходу'], next: ['BROKEN'] },
        BROKEN: { tone: 'bad', label: ['Broken', 'Сломана'] },
      },
    },
    boughtOn: { type: 'date', label: ['Bought', 'Куплена'] },
    soldOn: { type: 'date', label: ['Sold', 'Продана'] },
    seenAt: { type: 'dateTime', label: ['Seen', 'Замечена'] },
    playS: { type: 'duration', label: ['Playing time', 'Время игры'] },
    ownerId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'person' },
    friendIds: { type: 'references', label: ['Friends', 'Друзья'], to: 'person', maxItems: 3 },
    tags: { type: 'tags', label: ['Tags', 'Метки'], maxItems: 4 },
    taskCount: {
      type: 'count',
      label: ['Tasks', 'Задач'],
      of: 'task',
      by: 'toyId',
      where: { field: 'isUrgent', op: 'eq', value: true },
    },
    place: {
      type: 'group',
      label: ['Place', 'Место'],
      fields: {
        room: { type: 'text', label: ['Room', 'Комната'], required: true, maxLength: 10 },
        shelf: { type: 'integer', label: ['Shelf', 'Полка'], min: 1, max: 9 },
        keeperId: { type: 'reference', label: ['Keeper', 'Хранитель'], to: 'person' },
        checkedAt: { type: 'dateTime', label: ['Checked', 'Проверено'] },
        lock: { type: 'text', label: ['Lock', 'Замок'], access: { read: ['admin'] } },
      },
    },
    parts: {
      type: 'list',
      label: ['Parts', 'Части'],
      maxItems: 3,
      fields: {
        part: { type: 'text', label: ['Part', 'Часть'], required: true },
        count: { type: 'integer', label: ['Count', 'Число'], min: 1 },
      },
    },
    extra: { type: 'json', label: ['Extra', 'Прочее'] },
    picture: { type: 'file', label: ['Picture', 'Изображение'], readOnly: true },
    papers: { type: 'files', label: ['Papers', 'Документы'], maxItems: 3, accept: '.pdf,.txt,image/*' },
    serial: { type: 'hex', label: ['Serial', 'Серийный номер'], bytes: 2 },
    build: { type: 'semver', label: ['Build', 'Сборка'] },
    zone: { type: 'timezone', label: ['Zone', 'Пояс'] },
    pin: { type: 'secret', label: ['Pin', 'Пин-код'], minLength: 4 },
    isOld: { type: 'boolean', label: ['Old', 'Старая'], derived: true, readOnly: true },
    price: { type: 'decimal', label: ['Price', 'Цена'], access: { read: staff, write: ['admin'] } },
    keeperNote: { type: 'text', label: ['Note', 'Заметка'], required: true, when: { field: 'isLoud', op: 'eq', value: true } },
  },
  list: { sort: { field: 'code', order: 'asc' } },
  tabs: {
    task: { label: ['Tasks', 'Задачи'], resource: 'task', from: 'toy/{id}/task' },
    index: { label: ['Toy', 'Игрушка'], sections: ['details'] },
  },
  actions: {
    'hand-over': {
      label: ['Hand over', 'Передать'],
      call: ['POST', 'toy/{id}/hand-over'],
      form: { ownerId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'person', required: true } },
    },
    press: {
      label: ['Press', 'Нажать'],
      form: { times: { type: 'integer', label: ['Times', 'Раз'], required: true, max: 3 } },
    },
  },
  access: { list: everybody, create: staff, edit: staff, delete: staff },
  rules: [
    {
      rule: {
        any: [
          { field: 'soldOn', op: 'null', value: true },
          { field: 'boughtOn', op: 'null', value: true },
          { field: 'soldOn', op: 'gte', value: '$record.boughtOn' },
        ],
      },
      at: 'soldOn',
      message: ['A toy is sold after it was bought', 'Игрушка продана раньше, чем куплена'],
    },
  ],
})

/** A resource that the engine has never seen: eight fields, a reference, an enum, two actions, a tab, role limits. */
export const task = defineResource({
  name: 'task',
  label: { one: ['Task', 'Задача'], many: ['Tasks', 'Задачи'] },
  title: 'title',
  fields: {
    title: { type: 'text', label: ['Title', 'Название'], required: true, maxLength: 60, search: true },
    toyId: { type: 'reference', label: ['Toy', 'Игрушка'], to: 'toy' },
    assigneeId: { type: 'reference', label: ['Assignee', 'Исполнитель'], to: 'person' },
    kind: { type: 'enum', label: ['Kind', 'Вид'], required: true, options: ['REPAIR', 'CLEAN'] },
    status: {
      type: 'status',
      label: ['Status', 'Статус'],
      default: 'OPEN',
      readOnly: true,
      states: {
        OPEN: { tone: 'info', label: ['Open', 'Открыта'], next: ['DONE'] },
        DONE: { tone: 'good', label: ['Done', 'Готова'] },
      },
    },
    isUrgent: { type: 'boolean', label: ['Urgent', 'Срочная'], default: false },
    dueOn: { type: 'date', label: ['Due', 'Срок'] },
    doneAt: { type: 'dateTime', label: ['Done at', 'Сделана'], readOnly: true },
  },
  tabs: {
    toy: {
      label: ['Same toy', 'Та же игрушка'],
      resource: 'task',
      from: 'task/{id}/same-toy',
      match: { toyId: '$record.toyId' },
    },
  },
  actions: {
    finish: {
      label: ['Finish', 'Завершить'],
      set: { status: 'DONE', doneAt: '$now', assigneeId: '$user.id' },
      when: { field: 'status', op: 'eq', value: 'OPEN' },
      confirm: { body: ['The task is done.', 'Задача выполнена.'] },
      roles: ['admin', 'moderator', 'service_engineer'],
    },
    delay: {
      label: ['Delay', 'Отложить'],
      call: ['DELETE', 'task/{id}/due'],
      form: {
        dueOn: { type: 'date', label: ['Due', 'Срок'], required: true },
        reason: { type: 'text', label: ['Reason', 'Причина'] },
      },
    },
    hurry: { label: ['Hurry', 'Ускорить'], call: ['PUT', 'task/{id}/urgency'], body: { isUrgent: true } },
    relax: { label: ['Relax', 'Не спешить'], call: ['PUT', 'task/{id}/urgency'], body: { isUrgent: false } },
  },
  access: { list: ['admin', 'moderator', 'service_engineer'], create: staff, edit: staff, delete: ['admin'] },
  scope: { service_engineer: { field: 'assigneeId', op: 'eq', value: '$user.id' } },
})

const person = {
  email: { type: 'email', label: ['E-mail', 'Почта'], required: true, unique: true, immutable: true, search: true },
  name: { type: 'text', label: ['Name', 'Имя'], required: true, search: true },
} as const

/** A whole and a part of it that share a table and paths, as users and clients do. */
export const people = defineResource({
  name: 'person',
  label: { one: ['Person', 'Человек'], many: ['People', 'Люди'] },
  summary: ['email'],
  unseen: { moderator: ['email'], service_engineer: ['email'], installer: ['email'], client: ['email'] },
  fields: {
    ...person,
    kind: { type: 'enum', label: ['Kind', 'Вид'], required: true, options: ['CHILD', 'ADULT'] },
    language: { type: 'text', label: ['Language', 'Язык'] },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
export const child = defineResource({
  name: 'child',
  label: { one: ['Child', 'Ребёнок'], many: ['Children', 'Дети'] },
  summary: ['email', 'name'],
  fields: { ...person, school: { type: 'text', label: ['School', 'Школа'] } },
  subset: { of: 'person', where: { kind: 'CHILD' } },
  api: { list: 'person/child' },
  access: { list: staff, create: staff, edit: staff, delete: ['admin'] },
})
