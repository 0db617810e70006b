import { defineResource } from '#schema/resource.ts'

/** History of the ESS that a board belonged to; the row without `removedAt` is current. */
export const controlPcbAttachment = defineResource({
  name: 'control-pcb-attachment',
  menu: false,
  live: true,
  label: { one: ['Attachment', 'Подключение'], many: ['Attachments', 'Подключения'] },
  title: 'id',

  fields: {
    controlPcbId: { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb', readOnly: true },
    essId:        { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    role:         { type: 'enum',      label: ['Role', 'Роль'], readOnly: true,
      options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] } },
    attachedAt:   { type: 'dateTime',  label: ['Attached', 'Подключена'], readOnly: true },
    attachedBy:   { type: 'reference', label: ['Attached by', 'Кем подключена'], to: 'user', readOnly: true },
    removedAt:    { type: 'dateTime',  label: ['Removed||board', 'Отключена'], readOnly: true },
    removedBy:    { type: 'reference', label: ['Removed by', 'Кем отключена'], to: 'user', readOnly: true },
    reason:       { type: 'text',      label: ['Reason', 'Причина'], readOnly: true },
  },

  list: {
    columns: ['essId', 'role', 'attachedAt', 'attachedBy', 'removedAt', 'reason'],
    filters: [],
    sort: { field: 'attachedAt', order: 'desc' },
    empty: { title: ['Never attached', 'Ещё не подключалась'],
      text: ['Attach the board on the page of an ESS.', 'Подключите плату на странице СНЭ.'], sendsTo: 'ess' },
  },
  access: { list: [], show: [] },
  api: { list: false, show: false, create: false, update: false, delete: false },
})
