import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'

/** Everything beside the fields: list, sections, tabs, actions, access, figures, rules. */
export const job = defineResource({
  name: 'job',
  label: { one: ['Job', 'Работа'], many: ['Jobs', 'Работы'] },
  route: 'work',
  icon: 'calendar',
  title: 'code',
  summary: ['code', 'state'],
  about: ['machineId'],
  unique: [['machineId', 'startsAt']],
  live: true,
  permit: 'mayChange',
  when: { edit: { field: 'state', op: 'ne', value: 'DONE' }, delete: { field: 'state', op: 'eq', value: 'OPEN' } },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true },
    machineId: { type: 'reference', label: ['Machine', 'Машина'], to: 'machine', required: true },
    workerId: {
      type: 'reference',
      label: ['Worker', 'Исполнитель'],
      to: 'user',
      options: 'user?role=service_engineer',
      access: { write: ['admin', 'moderator'] },
    },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      required: true,
      default: 'OPEN',
      states: {
        OPEN: { tone: 'info', label: ['Open', 'Открыта'], next: ['DONE'] },
        DONE: { tone: 'good', label: ['Done', 'Готова'] },
      },
    },
    startsAt: {
      type: 'dateTime',
      label: ['Start', 'Начало'],
      required: true,
      default: '$now',
      was: 'beginsAt',
      backfill: '$now',
    },
    endsAt: { type: 'dateTime', label: ['End', 'Конец'], default: '{startsAt}+1y', convert: { from: 'date' } },
    priority: { type: 'integer', label: ['Priority', 'Приоритет'], min: 1, max: 5, default: 3 },
    title: { type: 'text', label: ['Title', 'Заголовок'], default: 'Job {code}' },
    openedOn: { type: 'date', label: ['Opened', 'Открыта'], default: '$today', readOnly: true },
    openedById: { type: 'reference', label: ['Opened by', 'Открыл'], to: 'user', default: '$user.id', readOnly: true },
    report: {
      type: 'longText',
      label: ['Report', 'Отчёт'],
      maxLength: 4000,
      required: { field: 'state', op: 'eq', value: 'DONE' },
      readOnly: { field: 'approvedById', op: 'null', value: false },
    },
    forRole: {
      type: 'enum',
      label: ['For', 'Для'],
      options: { moderator: ['Moderators', 'Модераторы'], service_engineer: ['Engineers', 'Инженеры'] },
      choicesWere: { service_engineer: 'engineer' },
      choicesGone: { dispatcher: 'moderator' },
    },
    approvedById: { type: 'reference', label: ['Approved by', 'Утвердил'], to: 'user', access: { write: ['admin'] } },
    mayChange: { type: 'boolean', label: ['May be changed', 'Можно изменить'], derived: true, readOnly: true },
  },
  list: {
    columns: ['code', 'machineId', 'state', 'startsAt'],
    marks: { code: 'state' },
    filters: ['state', 'workerId', 'startsAt'],
    search: ['code', 'machineId'],
    sort: { field: 'startsAt', order: 'asc' },
    limit: 50,
    tone: {
      bad: {
        all: [
          { field: 'state', op: 'eq', value: 'OPEN' },
          { field: 'endsAt', op: 'lt', value: '$now' },
        ],
      },
    },
    bulk: ['finish'],
    card: [
      ['code', 'state'],
      ['machineId', 'endsAt'],
    ],
    views: {
      mine: { label: ['Mine', 'Мои'], filters: { state: ['OPEN'], workerId: '$user.id' }, roles: ['service_engineer'] },
      soon: {
        label: ['In 90 days', 'В ближайшие 90 дней'],
        filters: { state: ['OPEN'], startsAt_gte: '$today', startsAt_lte: '$today+90d' },
      },
    },
  },
  sections: {
    details: ['code', 'title', 'openedOn', 'openedById', 'machineId', 'workerId', 'forRole', 'state', 'priority'],
    schedule: ['startsAt', 'endsAt'],
    result: {
      label: ['Result', 'Итог'],
      fields: ['report', 'approvedById'],
      when: { field: 'state', op: 'eq', value: 'DONE' },
    },
  },
  why: [
    {
      when: { field: 'endsAt', op: 'lt', value: '$now' },
      tone: 'state',
      text: ['{state}[, ended {endsAt.ago}].', '{state}[, закончена {endsAt.ago}].'],
      tab: 'others',
    },
  ],
  tabs: {
    index: { label: ['Overview', 'Обзор'], sections: ['details', 'schedule', 'result'] },
    others: {
      label: ['Other jobs of the machine', 'Другие работы машины'],
      resource: 'job',
      match: { machineId: '$record.machineId' },
      columns: ['code', 'state', 'startsAt'],
      roles: staff,
    },
  },
  actions: {
    finish: {
      label: ['Finish', 'Завершить'],
      icon: 'check',
      key: 'f',
      body: { zone: '$zone' },
      when: { field: 'state', op: 'eq', value: 'OPEN' },
      set: { state: 'DONE', endsAt: '$now' },
      confirm: {
        title: ['Finish the job?', 'Завершить работу?'],
        body: ['The job is over.', 'Работа окончена.'],
        many: ['The jobs are over.', 'Работы окончены.'],
        danger: true,
        typeToConfirm: 'code',
      },
      success: ['The job is done', 'Работа завершена'],
      refresh: ['machine'],
    },
    approve: {
      label: ['Approve', 'Утвердить'],
      roles: staff,
      set: { approvedById: '$form.byId' },
      writes: ['approvedById'],
      start: { byId: '$user.id' },
      reason: 'why',
      form: {
        byId: { type: 'reference', label: ['Approved by', 'Утвердил'], to: 'user', required: true },
        why: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 },
      },
    },
  },
  access: { list: fleetStaff, create: staff, edit: fleetStaff, delete: ['admin'] },
  scope: {
    service_engineer: {
      any: [
        { field: 'workerId', op: 'eq', value: '$user.id' },
        { field: 'forRole', op: 'eq', value: '$user.role' },
      ],
    },
  },
  figures: {
    late: {
      place: 'tidy',
      label: ['Late jobs', 'Опоздавшие работы'],
      tone: 'warn',
      filters: { state: 'OPEN', endsAt_lte: '$now' },
    },
    recent: {
      place: 'now',
      label: ['Jobs of the week', 'Работы за неделю'],
      tone: 'info',
      filters: { createdAt_gte: '$now-7d' },
      roles: ['admin', 'moderator'],
    },
    states: { place: 'spread', by: 'state', whole: true },
  },
  was: 'task',
  gone: ['remark'],
  rules: [
    {
      rule: {
        any: [
          { field: 'endsAt', op: 'null', value: true },
          { field: 'endsAt', op: 'gte', value: '$record.startsAt' },
        ],
      },
      at: 'endsAt',
      message: ['The end is not before the start', 'Конец не раньше начала'],
    },
  ],
})
