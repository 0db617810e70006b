import type { Fields } from '#schema/field-types.ts'
import { chemistries } from './choices.ts'

/** What is the same of every system of a model. */
export const modelFields = {
  manufacturer: { type: 'text', label: ['Manufacturer', 'Производитель'], maxLength: 64 },
  model: { type: 'text', label: ['Model', 'Модель'], maxLength: 64, search: true },
  chemistry: { type: 'enum', label: ['Chemistry', 'Химия'], required: true, options: chemistries },
  ratedEnergyWh: { type: 'quantity', label: ['Rated energy', 'Ёмкость'], required: true, unit: 'Wh', min: 1_000,
    max: 10_000_000 },
  ratedChargePowerW: { type: 'quantity', label: ['Charge power', 'Мощность заряда'], required: true, unit: 'W', min: 100,
    max: 5_000_000 },
  ratedDischargePowerW: { type: 'quantity', label: ['Discharge power', 'Мощность разряда'], required: true, unit: 'W', min: 100,
    max: 5_000_000 },
  ratedCapacityAh: { type: 'quantity', label: ['Rated capacity', 'Номинальный заряд'], unit: 'Ah', min: 1, max: 100_000 },
  cellsInSeries: { type: 'integer', label: ['Cells in series', 'Ячеек последовательно'], min: 1, max: 400 },
  strings: { type: 'integer', label: ['Strings', 'Параллельных цепей'], min: 1, max: 64 },
  modules: { type: 'integer', label: ['Modules', 'Модулей'], min: 1, max: 256 },
  gridPhases: { type: 'integer', label: ['Grid phases', 'Фаз сети'], min: 1, max: 3 },
} as const satisfies Fields

/** What the maker says of an ESS. */
export const nameplateFields = {
  essModelId: { type: 'reference', label: ['Model from the list', 'Модель из списка'], to: 'ess-model', detailOnly: true,
    help: ['Fills in the profile and the nameplate where they are empty', 'Заполняет пустые поля профиля и паспортных данных'],
    fills: ['profile', 'manufacturer', 'model', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW',
      'ratedCapacityAh', 'cellsInSeries', 'strings', 'modules', 'gridPhases'] },
  ...modelFields,
  serialNumber: { type: 'text', label: ['Serial number', 'Серийный номер'], maxLength: 64, search: true },
  pvPeakPowerW: { type: 'quantity', label: ['PV peak power', 'Пиковая мощность СЭС'], unit: 'W', min: 0, max: 10_000_000 },
  gridConnectionLimitW: { type: 'quantity', label: ['Grid connection limit', 'Предел подключения'], unit: 'W', min: 0,
    max: 10_000_000 },
} as const satisfies Fields
