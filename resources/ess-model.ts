import type { Fields } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'
import { chemistryLabels } from './fleet/chemistries.ts'
import { profiles } from './shared/choices.ts'

/** Nameplate fields that all systems of a model share. */
export const modelFields = {
  manufacturer:         { type: 'text',     label: ['Manufacturer', 'Производитель'], maxLength: 64 },
  model:                { type: 'text',     label: ['Model', 'Модель'], maxLength: 64, search: true },
  chemistry:            { type: 'enum',     label: ['Chemistry', 'Химия'], required: true, options: chemistryLabels },
  ratedEnergyWh:        { type: 'quantity', label: ['Rated energy', 'Ёмкость'], required: true, unit: 'Wh', min: 1_000,
    max: 10_000_000 },
  ratedChargePowerW:    { type: 'quantity', label: ['Charge power', 'Мощность заряда'], required: true, unit: 'W', min: 100,
    max: 5_000_000 },
  ratedDischargePowerW: { type: 'quantity', label: ['Discharge power', 'Мощность разряда'], required: true, unit: 'W', min: 100,
    max: 5_000_000 },
  ratedCapacityAh:      { type: 'quantity', label: ['Rated capacity', 'Ёмкость, А·ч'], unit: 'Ah', min: 1, max: 100_000 },
  cellsInSeries:        { type: 'integer',  label: ['Cells in series', 'Ячеек последовательно'], min: 1, max: 400 },
  strings:              { type: 'integer',  label: ['Strings', 'Параллельных цепей'], min: 1, max: 64 },
  modules:              { type: 'integer',  label: ['Modules', 'Модулей'], min: 1, max: 256 },
  gridPhases:           { type: 'integer',  label: ['Grid phases', 'Фаз сети'], min: 1, max: 3 },
  gridNominalV:         { type: 'quantity', label: ['Nominal grid voltage', 'Номинальное напряжение сети'], unit: 'V', min: 100,
    max: 277, scale: 'none', help: ['Grid thresholds are relative to it; 230 V when empty',
      'Пороги сети считаются от него; если пусто — 230 В'] },
  gridNominalHz:        { type: 'integer',  label: ['Nominal grid frequency', 'Номинальная частота сети'], min: 50, max: 60,
    options: { 50: ['50 Hz', '50 Гц'], 60: ['60 Hz', '60 Гц'] } },
  ownUseW:              { type: 'quantity', label: ['Own use', 'Собственное потребление'], unit: 'W', min: 0, max: 100_000,
    help: ['Power that the system itself draws: meters may differ by that much more',
      'Сколько берёт сама система: на столько больше могут расходиться счётчики'] },
} as const satisfies Fields

/** Product catalogue: a new system takes over the nameplate of its model. */
export const essModel = defineResource({
  name: 'ess-model',
  menu: { group: 'fleet' },
  label: { one: ['ESS model', 'Модель СНЭ'], many: ['ESS models', 'Модели СНЭ'] },
  icon: 'list',
  title: 'model',
  summary: ['model', 'manufacturer'],

  fields: {
    ...modelFields,
    manufacturer: { ...modelFields.manufacturer, required: true, search: true },
    model: { ...modelFields.model, required: true },
    gridNominalV: { ...modelFields.gridNominalV, default: 230 },
    gridNominalHz: { ...modelFields.gridNominalHz, default: 50 },
    profile: { type: 'enum', label: ['Profile', 'Профиль'], required: true, options: profiles },
  },

  list: {
    columns: ['manufacturer', 'model', 'profile', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW'],
    filters: ['manufacturer', 'profile', 'chemistry'],
    sort: { field: 'model', order: 'asc' },
    empty: { title: ['No models yet', 'Моделей пока нет'],
      text: ['A model fills in the nameplate of a new ESS.', 'Модель заполняет паспортные данные новой СНЭ.'],
      first: ['Create one for each product that you install.', 'Создайте модель для каждого изделия, которое вы ставите.'] },
  },
  sections: {
    identity: ['manufacturer', 'model', 'profile'],
    nameplate: ['chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW', 'ratedCapacityAh', 'cellsInSeries',
      'strings', 'modules', 'gridPhases', 'gridNominalV', 'gridNominalHz', 'ownUseW'],
  },
  tabs: {
    ess: { label: ['ESS', 'СНЭ'], resource: 'ess', create: true, attach: true, detach: true },
  },
  access: { list: fleetStaff, create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
