/** A definition as a reader of the README writes it: one file, and nothing else changes. */
export const serviceVisit = `import { defineResource } from '#schema/resource.ts'

const office = ['admin', 'moderator'] as const
const isOpen = { field: 'state', op: 'eq', value: 'OPEN' } as const

/** A visit of an engineer to a site. */
export const serviceVisit = defineResource({
  name: 'service-visit',
  label: { one: ['Service visit', 'Выезд'], many: ['Service visits', 'Выезды'] },
  title: 'number',

  fields: {
    number: { type: 'code', label: ['Number', 'Номер'], required: true, unique: true, immutable: true, search: true,
      pattern: '^V-[0-9]{4}$', help: ['Like V-0001', 'Например, V-0001'] },
    essId: { type: 'reference', label: ['Site', 'Объект'], required: true, to: 'ess' },
    kind: { type: 'enum', label: ['Kind', 'Вид'], required: true,
      options: { REPAIR: ['Repair', 'Ремонт'], INSPECTION: ['Inspection', 'Осмотр'] } },
    plannedOn: { type: 'date', label: ['Planned for', 'Назначен на'], required: true },
    hours: { type: 'decimal', label: ['Hours', 'Часы'], min: 0.5, max: 12, digits: 1 },
    costEur: { type: 'integer', label: ['Cost', 'Стоимость'], min: 0, access: { read: ['admin'] } },
    state: { type: 'status', label: ['State', 'Состояние'], readOnly: true, default: 'OPEN', states: {
      OPEN: { tone: 'info', label: ['Open', 'Открыт'], next: ['DONE', 'CANCELLED'] },
      DONE: { tone: 'good', label: ['Done', 'Выполнен'] },
      CANCELLED: { tone: 'idle', label: ['Cancelled', 'Отменён'] } } },
    result: { type: 'longText', label: ['Result', 'Итог'], readOnly: true, maxLength: 500 },
  },

  list: { columns: ['number', 'essId', 'kind', 'plannedOn', 'state'], filters: ['kind', 'state', 'plannedOn'],
    sort: { field: 'plannedOn', order: 'desc' } },
  sections: { details: ['number', 'essId', 'kind', 'plannedOn', 'hours', 'costEur', 'state', 'result'] },
  tabs: { boards: { label: ['Boards of the site', 'Платы объекта'], resource: 'control-pcb',
    match: { essId: '$record.essId' } } },
  actions: {
    finish: { label: ['Finish', 'Завершить'], icon: 'check', when: isOpen, set: { state: 'DONE' },
      form: { result: { type: 'longText', label: ['Result', 'Итог'], required: true, minLength: 5, maxLength: 500 },
        hours: { type: 'decimal', label: ['Hours', 'Часы'], min: 0.5, max: 12, digits: 1 } },
      success: ['The visit is done', 'Выезд завершён'] },
    'call-off': { label: ['Call off', 'Отменить выезд'], icon: 'close', when: isOpen, set: { state: 'CANCELLED' },
      confirm: { danger: true, body: ['Nobody will come.', 'Никто не приедет.'], typeToConfirm: 'number' } },
  },
  access: { list: office, create: office, edit: office, delete: ['admin'] },
})
`
