import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { products, usualProduct } from './shared/products.ts'

export const firmwareStates = {
  DRAFT:      { tone: 'idle', label: ['Draft', 'Черновик'], next: ['TESTING', 'ARCHIVED'] },
  TESTING:    { tone: 'info', label: ['Testing', 'Испытания'], next: ['RELEASED', 'REVOKED', 'ARCHIVED'] },
  RELEASED:   { tone: 'good', label: ['Released', 'Выпущена'], next: ['DEPRECATED', 'REVOKED'] },
  DEPRECATED: { tone: 'warn', label: ['Deprecated', 'Устарела'], next: ['RELEASED', 'REVOKED', 'ARCHIVED'] },
  REVOKED:    { tone: 'bad',  label: ['Revoked', 'Отозвана'], next: ['ARCHIVED'] },
  ARCHIVED:   { tone: 'idle', label: ['Archived', 'В архиве'] },
} as const satisfies Record<string, State>

/** A firmware image for control boards. Version, hardware and length are read from the file; file and version never change. */
export const firmware = defineResource({
  name: 'firmware',
  label: { one: ['Firmware', 'Прошивка'], many: ['Firmware', 'Прошивки'] },
  icon: 'firmware',
  menu: { group: 'firmware' },
  title: 'firmwareVersion',
  summary: ['firmwareVersion', 'status'],
  live: true,

  fields: {
    firmwareVersion:   { type: 'semver',    label: ['Version', 'Версия'], readOnly: true, search: true },
    file:              { type: 'file',      label: ['File', 'Файл'], required: true, immutable: true, sent: 'alone',
      maxBytes: 16_777_216, accept: '.bin',
      help: ['A .bin image of up to 16 MB; its header names version and hardware. Release notes are written afterwards',
        'Образ .bin до 16 МБ; версия и платы указаны в его заголовке. Описание изменений добавляют потом'] },
    product:           { type: 'enum',      label: ['Product', 'Изделие'], readOnly: true, default: usualProduct,
      options: products },
    hardwareRevisions: { type: 'tags',      label: ['Hardware', 'Аппаратные версии'], readOnly: true },
    minFromVersion:    { type: 'semver',    label: ['Oldest version to update from', 'Обновление с версии не ниже'],
      readOnly: true },
    status:            { type: 'status',    label: ['Status', 'Статус'], readOnly: true, default: 'DRAFT',
      states: firmwareStates },
    statusReason:      { type: 'text',      label: ['Reason', 'Причина'], readOnly: true, maxLength: 250 },
    releaseNotes:      { type: 'longText',  label: ['Release notes', 'Описание изменений'], maxLength: 4000, detailOnly: true },
    mandatory:         { type: 'boolean',   label: ['Mandatory', 'Обязательная'], default: false },
    uploadedBy:        { type: 'reference', label: ['Uploaded by', 'Кем загружена'], to: 'user', readOnly: true },
    stats:             { type: 'group',     label: ['Rollout', 'Раскатка'], derived: true, readOnly: true, fields: {
      running:     { type: 'count',   label: ['Boards running it', 'Плат с этой версией'] },
      openUpdates: { type: 'count',   label: ['Open updates', 'Открытых обновлений'] },
      succeeded:   { type: 'count',   label: ['Succeeded', 'Успешных'] },
      failed:      { type: 'count',   label: ['Failed', 'Неудачных'] },
      rolledBack:  { type: 'count',   label: ['Rolled back', 'Откатов'] },
      successPct:  { type: 'percent', label: ['Success', 'Успешность'] },
    } },
  },

  list: {
    columns: ['firmwareVersion', 'status', 'hardwareRevisions', 'file', 'stats.running', 'mandatory', 'uploadedBy',
      'createdAt'],
    filters: ['status', 'mandatory'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { bad: { field: 'status', op: 'eq', value: 'REVOKED' }, idle: { field: 'status', op: 'eq', value: 'ARCHIVED' } },
    empty: { title: ['No firmware yet', 'Прошивок пока нет'],
      text: ['Images that boards install. Each is tested and released before boards are asked to take it.',
        'Образы для плат. Прежде чем обновлять платы, прошивку проверяют и выпускают.'],
      first: ['Upload the first image.', 'Загрузите первый образ.'] },
  },
  sections: {
    identity: ['firmwareVersion', 'file', 'status', 'statusReason', 'product', 'hardwareRevisions', 'minFromVersion',
      'uploadedBy'],
    notes: ['releaseNotes'],
    rollout: ['mandatory', 'stats'],
  },
  actions: {
    'set-status': {
      label: ['Change status', 'Изменить статус'], icon: 'edit', call: ['PUT', 'firmware/{id}/status'], roles: ['admin'],
      fresh: true,
      when: { field: 'status', op: 'ne', value: 'ARCHIVED' },
      form: {
        status: { type: 'status', label: ['New status', 'Новый статус'], required: true, states: firmwareStates },
        reason: { type: 'text',   label: ['Reason', 'Причина'], maxLength: 250,
          help: ['Needed to revoke, and to release what no board has installed',
            'Нужна для отзыва и для выпуска версии, которую не установила ни одна плата'] },
      },
      success: ['The status is changed', 'Статус изменён'],
    },
    // Moderators put images to the test; what the fleet may install is the admin's word.
    'start-testing': {
      label: ['Start testing', 'Начать испытания'], icon: 'play', call: ['PUT', 'firmware/{id}/status'], roles: ['moderator'],
      when: { field: 'status', op: 'eq', value: 'DRAFT' },
      body: { status: 'TESTING' },
      form: { reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
      success: ['The firmware is under test', 'Прошивка на испытаниях'],
    },
  },
  // Import: an image is read from its file, which no cell holds.
  import: false,
  access: { list: fleetStaff, create: staff, edit: staff, delete: ['admin'] },
})
