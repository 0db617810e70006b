import type { PartSection } from '#schema/facts/field-facts.ts'
import { dangersOf, type Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'

/** `danger`: protective values that no other group lists. */
const groups: readonly { label: Label; names: readonly string[] | 'danger' }[] = [
  {
    label: ['Operation', 'Работа'],
    names: ['operatingMode', 'manualPowerW', 'schedule', 'socMinPct', 'socMaxPct', 'backupReservePct'],
  },
  {
    label: ['Power limits', 'Пределы мощности'],
    names: ['chargePowerLimitW', 'dischargePowerLimitW', 'gridImportLimitW', 'gridExportLimitW'],
  },
  {
    label: ['Protection of the cells', 'Защита ячеек'],
    names: 'danger',
  },
  { label: ['Balancing', 'Балансировка'], names: ['balancingEnabled', 'balancingStartMv', 'balancingDeltaMv'] },
  {
    label: ['Communication and service', 'Связь и обслуживание'],
    names: ['reportIntervalS', 'keepaliveIntervalS', 'timezone', 'remoteControlEnabled', 'autoUpdate', 'maintenanceWindow'],
  },
  { label: ['Diagnostics', 'Диагностика'], names: ['warningOverrides', 'logLevel', 'rawCaptureUntil'] },
]

const others: Label = ['Other', 'Прочее']

/** Fields by group, as far as the definition has them; unlisted ones come last. */
export function groupsOf(fields: Fields): PartSection[] {
  const named = new Set<string>(groups.flatMap(({ names }) => (names === 'danger' ? [] : names)))
  const unnamed = (names: readonly string[]) => names.filter((name) => !named.has(name))
  const dangers = unnamed(dangersOf(fields))
  const rest = unnamed(Object.keys(fields)).filter((name) => !dangers.includes(name))
  return [...groups, { label: others, names: rest }]
    .map(({ label, names }) => ({
      label,
      fields: names === 'danger' ? dangers : names.filter((name) => Object.hasOwn(fields, name)),
    }))
    .filter((group) => group.fields.length > 0)
}
