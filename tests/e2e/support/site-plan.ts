/** A definition with files, as the recipe has them. */
export const sitePlan = `import { defineResource } from '#schema/resource.ts'

const office = ['admin', 'moderator'] as const

/** Pictures and papers of a site. */
export const sitePlan = defineResource({
  name: 'site-plan',
  label: { one: ['Site plan', 'План объекта'], many: ['Site plans', 'Планы объектов'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    photo: { type: 'file', label: ['Photo', 'Фото'], required: true, accept: '.png,.jpg', maxBytes: 100_000,
      help: ['A picture of the cabinet', 'Снимок шкафа'] },
    papers: { type: 'files', label: ['Papers', 'Документы'], accept: '.pdf,.txt', maxItems: 2 },
  },
  list: { columns: ['name', 'photo', 'papers'] },
  access: { list: office, create: office, edit: office, delete: office },
})
`
