import type { Fields } from '#schema/field-types.ts'

const revisions = [
  'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8',
  'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7', 'D8',
]

/** Conditions that choose boards of the fleet; an empty one takes all. A board meets every one of them. */
export const boardConditions = {
  hardwareRevisions: { type: 'tags',       label: ['Hardware', 'Аппаратура'], detailOnly: true, options: revisions, runs: true,
    maxItems: 32 },
  versionFrom:       { type: 'semver',     label: ['Present version from', 'Нынешняя версия от'], detailOnly: true,
    help: ['Boards whose version is not known are left out', 'Платы с неизвестной версией не войдут'] },
  versionTo:         { type: 'semver',     label: ['Present version up to', 'Нынешняя версия до'], detailOnly: true },
  essModelIds:       { type: 'references', label: ['ESS models', 'Модели СНЭ'], to: 'ess-model', maxItems: 50, detailOnly: true },
  regions:           { type: 'tags',       label: ['Regions', 'Регионы'], maxItems: 50, detailOnly: true,
    help: ['As the address of the ESS names them', 'Как в адресе СНЭ'] },
  onlineOnly:        { type: 'boolean',    label: ['Only boards that are online', 'Только платы на связи'], detailOnly: true },
  controlPcbIds:     { type: 'references', label: ['Only boards of this list', 'Только платы из списка'], to: 'control-pcb',
    maxItems: 500,
    help: ['Leave empty: all active boards with compatible hardware and an older version',
      'Пусто — все активные платы подходящего исполнения с более старой версией'] },
} as const satisfies Fields
