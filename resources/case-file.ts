import { defineResource } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'
import { warningCodes } from './fleet/warnings/warning-codes.ts'
import { isAssigned } from './shared/status-parts.ts'

/** Permanent copy of the board's data around a warning, from half an hour before it to half an hour after it. */
export const caseFile = defineResource({
  name: 'case-file',
  menu: { group: 'fleet' },
  label: { one: ['Case file', 'Досье'], many: ['Case files', 'Досье'] },
  icon: 'save',
  title: 'code',
  live: true,

  fields: {
    code:         { type: 'code',      label: ['Code', 'Код'], readOnly: true, unique: true, search: true },
    warningCode:  { type: 'enum',      label: ['Warning', 'Предупреждение'], derived: true, readOnly: true,
      options: warningCodes, order: 'label' },
    warningId:    { type: 'reference', label: ['Warning', 'Предупреждение'], readOnly: true, to: 'telemetry-warning' },
    essId:        { type: 'reference', label: ['ESS', 'СНЭ'], readOnly: true, to: 'ess' },
    controlPcbId: { type: 'reference', label: ['Control PCB', 'Плата'], readOnly: true, to: 'control-pcb' },
    startsAt:     { type: 'dateTime',  label: ['From||time', 'С'], readOnly: true },
    endsAt:       { type: 'dateTime',  label: ['Until', 'До'], readOnly: true },
    state:        { type: 'status',    label: ['State', 'Состояние'], derived: true, readOnly: true, states: {
      OPEN:  { tone: 'info', label: ['Being collected', 'Собирается'] },
      WHOLE: { tone: 'good', label: ['Collected', 'Собрано'] },
    } },
    note:         { type: 'text',      label: ['Note', 'Примечание'], readOnly: true },
    served: isAssigned,
    counts:       { type: 'group',     label: ['Counts', 'Сколько'], derived: true, readOnly: true, detailOnly: true,
      fields: {
      packages:       { type: 'count', label: ['Packages', 'Пакеты'] },
      samples:        { type: 'count', label: ['Samples', 'Измерения'] },
      configurations: { type: 'count', label: ['Configurations', 'Конфигурации'] },
      updates:        { type: 'count', label: ['Firmware updates', 'Обновления прошивки'] },
      comments:       { type: 'count', label: ['Comments', 'Комментарии'] },
    } },
  },

  list: {
    columns: ['code', 'warningCode', 'essId', 'controlPcbId', 'startsAt', 'endsAt', 'state', 'createdBy'],
    filters: ['state', 'essId', 'controlPcbId'],
    sort: { field: 'code', order: 'desc' },
    empty: { title: ['No case files yet', 'Досье пока нет'],
      text: ['A case file keeps samples and packets around a warning. Create it on the page of the warning.',
        'Досье хранит данные и пакеты вокруг предупреждения. Соберите его на странице предупреждения.'] },
  },
  tabs: {
    index: { label: ['Case file', 'Досье'], widget: 'case-record' },
    package: { label: ['Packages', 'Пакеты'], resource: 'package', from: 'case-file/{id}/package',
      columns: ['receivedAt', 'type', 'seq', 'status', 'reason', 'sizeBytes', 'clockSkewMs'] },
  },
  actions: {
    'edit-note': {
      label: ['Edit note', 'Изменить примечание'], icon: 'edit', roles: fleetStaff, permit: 'served',
      form: { note: { type: 'text', label: ['Note', 'Примечание'], maxLength: 1000 } },
      success: ['The note is saved', 'Примечание сохранено'],
    },
  },
  access: { list: fleetStaff },
})
