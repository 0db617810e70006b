import type { Action } from '#schema/resource.ts'
import { fieldRoles } from './served.ts'

const staff = ['admin', 'moderator'] as const

/** What is done with an ESS itself: owner, maintenance, notes, boards. */
export const essActions = {
  'set-owner': {
    label: ['Set owner', 'Назначить владельца'], icon: 'user', call: ['PUT', 'ess/{id}/owner'], roles: staff,
    form: { clientId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'client', options: 'user/client?status=ACTIVE',
      help: ['A client who has finished the registration. Empty = no owner. A change revokes the guests.',
        'Клиент, завершивший регистрацию. Пусто = без владельца. При смене владельца гости отзываются.'] },
      note: { type: 'text', label: ['Note', 'Примечание'], maxLength: 250 } },
    success: ['The owner is set', 'Владелец назначен'],
  },
  maintenance: {
    label: ['Maintenance', 'Обслуживание'], icon: 'settings', call: ['PUT', 'ess/{id}/maintenance'], roles: fieldRoles,
    permit: 'served',
    form: { until: { type: 'dateTime', label: ['Until', 'До'],
      help: ['At most 72 hours ahead; empty ends it now', 'Не более 72 часов; пусто — закончить сейчас'] },
      reason: { type: 'text', label: ['Reason', 'Причина'], minLength: 3, maxLength: 250 } },
    success: ['Maintenance is saved', 'Обслуживание сохранено'],
  },
  'edit-notes': {
    label: ['Edit notes', 'Изменить заметки'], icon: 'edit', call: ['PUT', 'ess/{id}/notes'], roles: ['service_engineer'],
    permit: 'served',
    form: { notes: { type: 'longText', label: ['Notes', 'Заметки'], maxLength: 4000 } },
    success: ['The notes are saved', 'Заметки сохранены'],
  },
  'attach-control-pcb': {
    label: ['Attach board', 'Подключить плату'], icon: 'plus', call: ['POST', 'ess/{id}/attach-control-pcb'], roles: fieldRoles,
    permit: 'served', refresh: ['control-pcb'],
    form: { controlPcbId: { type: 'reference', label: ['Board', 'Плата'], required: true, to: 'control-pcb',
      options: 'control-pcb?essId_null=true' },
      role: { type: 'enum', label: ['Role', 'Роль'], required: true, default: 'MAIN',
        options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] } },
      reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
    success: ['The board is attached', 'Плата подключена'],
  },
  'remove-control-pcb': {
    label: ['Remove board', 'Отключить плату'], icon: 'trash', on: 'row', call: ['DELETE', 'ess/{id}/remove-control-pcb'],
      roles: fieldRoles, permit: 'served', refresh: ['control-pcb'],
    body: { controlPcbId: '$row.id' }, form: { reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
    confirm: { danger: true, body: ['The board no longer belongs to this ESS.',
      'Плата больше не будет относиться к этой СНЭ.'] },
    success: ['The board is removed', 'Плата отключена'],
  },
} as const satisfies Record<string, Action>
