import type { Fields } from '#schema/field-types.ts'
import { hardwareRevisions } from './products.ts'

/** Conditions that choose boards of the fleet; an empty one takes all. A board meets every one of them. */
export const boardConditions = {
  hardwareRevisions: { type: 'tags',       label: ['Hardware', 'Аппаратура'], none: ['Any', 'Любая'],
    detailOnly: true, maxItems: 32, options: hardwareRevisions, runs: true },
  versionFrom:       { type: 'semver',     label: ['Present version from', 'Нынешняя версия от'], none: ['Any', 'Любая'],
    detailOnly: true,
    help: ['Boards whose version is not known are left out', 'Платы с неизвестной версией не войдут'] },
  versionTo:         { type: 'semver',     label: ['Present version up to', 'Нынешняя версия до'], none: ['Any', 'Любая'],
    detailOnly: true },
  essModelIds:       { type: 'references', label: ['ESS models', 'Модели СНЭ'], to: 'ess-model', maxItems: 50,
    none: ['Any', 'Любая'], detailOnly: true },
  regions:           { type: 'tags',       label: ['Regions', 'Регионы'], none: ['Any', 'Любой'],
    maxItems: 50, detailOnly: true, valuesOf: 'ess.location.region' },
  onlineOnly:        { type: 'boolean',    label: ['Only boards that are online', 'Только платы на связи'], detailOnly: true },
  controlPcbIds:     { type: 'references', label: ['Only boards of this list', 'Только платы из списка'], to: 'control-pcb',
    none: ['Any', 'Любая'], maxItems: 500,
    help: ['Leave empty: all boards in service that can take it; firmware only where it is newer',
      'Пусто — все платы в работе, которым это подходит; прошивку — только если она новее'] },
} as const satisfies Fields
