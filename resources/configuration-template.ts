import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { groupsOf } from './fleet/configuration-groups.ts'
import { templateFields } from './shared/configuration.ts'
import { products, usualProduct } from './shared/products.ts'

/** Settings that many boards share. Applied to a board they become its next configuration; empty ones stay as they are. */
export const configurationTemplate = defineResource({
  name: 'configuration-template',
  menu: { group: 'fleet' },
  label: { one: ['Configuration template', 'Шаблон конфигурации'], many: ['Configuration templates', 'Шаблоны конфигурации'] },
  icon: 'settings',
  title: 'code',
  summary: ['code', 'name'],

  fields: {
    code:       { type: 'code',      label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^[A-Z0-9][A-Z0-9-]{2,31}$', help: ['Like WINTER-LFP', 'Например, WINTER-LFP'] },
    name:       { type: 'text',      label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
    product:    { type: 'enum',      label: ['Product', 'Изделие'], required: true, default: usualProduct, options: products,
      help: ['Only boards of this product take it', 'Его принимают только платы этого изделия'] },
    essModelId: { type: 'reference', label: ['ESS model', 'Модель СНЭ'], to: 'ess-model',
      help: ['Only boards at systems of this model take it; empty = of any model',
        'Его принимают только платы СНЭ этой модели; если пусто — любой'] },
    boards:     { type: 'count',     label: ['Boards', 'Плат'], derived: true, readOnly: true },
    differing:  { type: 'count',     label: ['Differ from it', 'Отличаются'], derived: true, readOnly: true,
      help: ['Boards whose desired configuration has other values by now',
        'Платы, в заданной конфигурации которых теперь другие значения'] },
    settings:   { type: 'group',     label: ['Settings', 'Настройки'], required: true, detailOnly: true, fields: templateFields,
      sections: groupsOf(templateFields),
      help: ['What is empty stays as it is on the board', 'Пустые значения на плате не меняются'] },
    notes:      { type: 'longText',  label: ['Notes', 'Заметки'], maxLength: 4000, detailOnly: true },
  },

  list: {
    columns: ['code', 'name', 'product', 'essModelId', 'boards', 'differing', 'updatedAt'],
    filters: ['product', 'essModelId'],
    sort: { field: 'code', order: 'asc' },
    empty: { title: ['No templates yet', 'Шаблонов пока нет'],
      text: ['A template holds settings that many boards share.', 'В шаблоне — настройки, общие для многих плат.'],
      first: ['Create one, then apply it to boards from their list, or by a rollout in waves.',
        'Создайте шаблон и примените его к платам в их списке или раскаткой, волнами.'] },
  },
  sections: {
    identity: ['code', 'name', 'product', 'essModelId', 'boards', 'differing'],
    settings: { label: ['Settings', 'Настройки'], fields: ['settings'] },
    notes: ['notes'],
  },
  tabs: {
    boards: { label: ['Boards', 'Платы'], resource: 'control-pcb',
      columns: ['code', 'essId', 'templateState', 'config.state', 'connection.state', 'lifecycle'] },
    rollouts: { label: ['Rollouts', 'Раскатки'], resource: 'rollout', roles: staff,
      match: { templateId: '$record.id', brings: 'CONFIGURATION' }, create: true,
      columns: ['name', 'status', 'wave', 'progress.succeeded', 'progress.failed', 'progress.boards', 'startedAt'],
      empty: { title: ['No rollouts yet', 'Раскаток пока нет'],
        text: ['A rollout brings this template to boards in waves, and pauses when too many fail.',
          'Раскатка применяет этот шаблон к платам волнами и встаёт на паузу, когда неудач слишком много.'] } },
  },
  access: { list: fleetStaff, create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
