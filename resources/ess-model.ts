import { defineResource } from '#schema/resource.ts'
import { profiles } from './choices.ts'
import { modelFields } from './nameplate.ts'

/** What makers sell: the nameplates that systems are registered with. */
export const essModel = defineResource({
  name: 'ess-model',
  menu: false,
  label: { one: ['ESS model', 'Модель СНЭ'], many: ['ESS models', 'Модели СНЭ'] },
  icon: 'battery', title: 'model',
  summary: ['model', 'manufacturer'],

  fields: {
    ...modelFields,
    manufacturer: { ...modelFields.manufacturer, required: true, search: true },
    model: { ...modelFields.model, required: true },
    profile: { type: 'enum', label: ['Profile', 'Профиль'], required: true, options: profiles },
  },

  list: {
    columns: ['manufacturer', 'model', 'profile', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW'],
    filters: ['manufacturer', 'profile', 'chemistry'],
    sort: { field: 'model', order: 'asc' },
  },
  sections: {
    identity: ['manufacturer', 'model', 'profile'],
    nameplate: ['chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW', 'ratedCapacityAh', 'cellsInSeries',
      'strings', 'modules', 'gridPhases'],
  },
  access: { list: ['admin', 'moderator', 'service_engineer'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
