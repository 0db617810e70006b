import { roleOptions } from '#resources/shared/choices.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { cellValues } from './chemistry-preset.ts'

/** Exact, since entries are evidence: a `count` would be shortened to 2.6K. */
const count = (en: string, ru: string): Field => ({ type: 'integer', label: [en, ru] })
const text = (en: string, ru: string): Field => ({ type: 'text', label: [en, ru] })

/** Values in audit entries that are no field of a record: counts of imports, filters of exports, presets. */
export const auditDetails: Fields = {
  total: count('Rows of the file', 'Строк в файле'),
  created: count('Created', 'Создано'),
  updated: count('Changed', 'Изменено'),
  skipped: count('Unchanged', 'Без изменений'),
  failed: count('Rejected', 'Отклонено'),
  removed: count('Removed', 'Удалено'),
  restored: count('Restored', 'Возвращено'),
  kept: count('Kept', 'Оставлено'),
  left: count('Left to do', 'Осталось'),
  ess: count('ESS', 'СНЭ'),
  boards: count('Control PCB', 'Платы управления'),
  control_pcb: count('Control PCB', 'Платы управления'),
  clients: count('Clients', 'Клиенты'),
  user: count('People', 'Люди'),
  firmware: count('Firmware', 'Прошивки'),
  days: count('Days of history', 'Дней истории'),
  faults: { type: 'boolean', label: ['With faults||device', 'С неисправностями'] },
  userId: { type: 'reference', label: ['Person', 'Пользователь'], to: 'user' },
  controlPcb: text('Control PCB', 'Плата управления'),
  subject: text('Subject', 'Тема'),
  label: text('Browser', 'Браузер'),
  passkey: text('Passkey', 'Ключ доступа'),
  isDebug: { type: 'boolean', label: ['For tests', 'Для отладки'] },
  sizeBytes: { type: 'bytes', label: ['Size', 'Размер'] },
  sha256: text('Checksum', 'Контрольная сумма'),
  columns: { type: 'tags', label: ['Columns', 'Столбцы'] },
  filters: { type: 'json', label: ['Filters', 'Фильтры'] },
  // Of entries of earlier releases.
  query: { type: 'json', label: ['Filters', 'Фильтры'] },
  filter: text('Filters', 'Фильтры'),
  relation: {
    type: 'enum',
    label: ['Relation', 'Связь'],
    options: {
      owner: ['Owner', 'Владелец'],
      guest: ['Guest', 'Гость'],
      service_engineer: roleOptions.service_engineer,
      installer: roleOptions.installer,
    },
  },
  rows: count('Rows read', 'Прочитано строк'),
  matching: count('Rows in all', 'Всего строк'),
  channel: { type: 'tags', label: ['Channels', 'Каналы'] },
  from: { type: 'dateTime', label: ['From||time', 'С'] },
  to: { type: 'dateTime', label: ['To', 'До'] },
  delayS: { type: 'duration', label: ['Delay', 'Задержка'] },
  levels: { type: 'json', label: ['Thresholds', 'Пороги'] },
  ...Object.fromEntries(
    Object.entries<Label>(cellValues).map(([name, label]): [string, Field] => [name, { type: 'quantity', label, unit: 'mV' }]),
  ),
}
