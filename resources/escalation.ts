import { defineResource } from '#schema/resource.ts'
import { severities } from './shared/status-parts.ts'

/** Escalation of warnings that nobody acknowledges: the next group and the delay; one row for each severity. */
export const escalation = defineResource({
  name: 'escalation',
  menu: { group: 'system' },
  label: { one: ['Escalation', 'Эскалация'], many: ['Escalations', 'Эскалации'] },
  icon: 'clock',
  title: 'severity',
  live: true,
  // Import: there are at most three rows, one for each severity.
  import: false,

  fields: {
    severity: { type: 'status',  label: ['Severity', 'Важность'], required: true, unique: true, immutable: true,
      states: severities, starts: ['INFO', 'WARNING', 'CRITICAL'] },
    afterMin: { type: 'integer', label: ['Minutes without acknowledgement', 'Минут без подтверждения'], required: true, min: 1,
      max: 1440, default: 15 },
    role:     { type: 'enum',    label: ['Notify', 'Кому сообщить'], required: true, default: 'admin', options: {
      service_engineer: ['Service engineers of the site', 'Сервисные инженеры объекта'],
      moderator:        ['Moderators', 'Модераторы'],
      admin:            ['Administrators', 'Администраторы'],
    } },
  },

  list: {
    columns: ['severity', 'afterMin', 'role', 'updatedAt'],
    sort: { field: 'severity', order: 'desc' },
    empty: { title: ['No escalations', 'Эскалаций нет'],
      text: ['Without one, nobody else is notified of a warning that is not acknowledged.',
        'Без эскалации о неподтверждённом предупреждении больше никому не сообщают.'],
      first: ['Create one for each severity that must not wait.', 'Создайте её для каждой важности, которая не может ждать.'] },
  },
  sections: { details: ['severity', 'afterMin', 'role'] },
  access: { list: ['admin', 'moderator'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
