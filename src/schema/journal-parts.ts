import { cellValues } from './configuration/chemistry-preset.ts'
import type { Definitions } from './definition.ts'
import type { Field } from './field-types.ts'
import type { Label } from './words.ts'

const count = (en: string, ru: string): Field => ({ type: 'count', label: [en, ru] })
const text = (en: string, ru: string): Field => ({ type: 'text', label: [en, ru] })

/** What entries of the audit log tell that is no field of a record. */
const parts: Readonly<Record<string, Field>> = {
  total: count('Rows of the file', 'Строк в файле'),
  created: count('Created', 'Создано'),
  updated: count('Changed', 'Изменено'),
  skipped: count('Left as they were', 'Без изменений'),
  failed: count('Rejected', 'Отклонено'),
  removed: count('Removed', 'Удалено'),
  kept: count('Kept', 'Оставлено'),
  ess: count('ESS', 'СНЭ'),
  boards: count('Control PCB', 'Платы управления'),
  control_pcb: count('Control PCB', 'Платы управления'),
  clients: count('Clients', 'Клиенты'),
  user: count('People', 'Люди'),
  firmware: count('Firmware', 'Прошивки'),
  days: count('Days of history', 'Дней истории'),
  faults: { type: 'boolean', label: ['With faults', 'С неисправностями'] },
  controlPcb: text('Control PCB', 'Плата управления'),
  subject: text('Subject', 'Тема'),
  label: text('Browser', 'Браузер'),
  isDebug: { type: 'boolean', label: ['For tests', 'Для отладки'] },
  sizeBytes: { type: 'bytes', label: ['Size', 'Размер'] },
  sha256: text('Checksum', 'Контрольная сумма'),
  columns: { type: 'tags', label: ['Columns', 'Столбцы'] },
  query: { type: 'json', label: ['Filters', 'Фильтры'] },
  list: text('List', 'Список'),
  channel: { type: 'tags', label: ['Channels', 'Каналы'] },
  from: { type: 'dateTime', label: ['From', 'С'] },
  to: { type: 'dateTime', label: ['To', 'До'] },
  delayS: { type: 'duration', label: ['Delay', 'Задержка'] },
  levels: { type: 'json', label: ['Thresholds', 'Пороги'] },
  ...Object.fromEntries(
    Object.entries<Label>(cellValues).map(([name, label]): [string, Field] => [name, { type: 'quantity', label, unit: 'mV' }]),
  ),
}

/** The words of a part that no record has; undefined where there are none. */
export function journalPart(name: string, definitions: Definitions): Field | undefined {
  if (name !== 'target') return Object.hasOwn(parts, name) ? parts[name] : undefined
  const options = Object.fromEntries([...definitions.values()].map((resource) => [resource.name, resource.label.many]))
  return { type: 'enum', label: ['What the file holds', 'Что в файле'], options }
}
