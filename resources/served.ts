import type { Field } from '#schema/field-types.ts'

/** Who works at sites; an engineer only where he is assigned, which `served` says. */
export const fieldRoles = ['admin', 'moderator', 'service_engineer'] as const

/** Whether the engineer who looks is assigned to the ESS with full rights, so that he may act there. */
export const served = {
  type: 'boolean', label: ['You serve it', 'Вы обслуживаете'], derived: true, readOnly: true,
  help: ['Actions here are for engineers who are assigned to the ESS with full rights. You may look at everything.',
    'Действия здесь доступны инженерам, назначенным на СНЭ с полными правами. Смотреть вы можете всё.'],
  access: { read: ['service_engineer'] },
} as const satisfies Field
