import type { Action, AnyResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'

/** An ESS is deleted before it has had a board; later its history is kept. */
export const essDeletion = {
  when: { delete: { all: [{ field: 'lifecycle', op: 'in', value: ['PLANNED', 'DECOMMISSIONED'] },
    { field: 'counts.boards', op: 'eq', value: 0 }] } },
  deletion: { body: ['The ESS is removed for good. One that ever had a board stays, with its history.',
    'СНЭ будет удалена безвозвратно. Та, к которой подключали плату, останется вместе со своей историей.'],
    instead: ['An ESS that had a board stays, with its history',
      'СНЭ, к которой подключали плату, остаётся вместе с историей'] },
} as const satisfies Pick<AnyResource, 'when' | 'deletion'>

/** Actions of an ESS, its boards and its people. */
export const essActions = {
  'set-owner': {
    label: ['Set owner', 'Назначить владельца'], icon: 'user', call: ['PUT', 'ess/{id}/owner'], roles: staff,
    form: {
      clientId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'client', options: 'user/client?status=ACTIVE',
        help: ['A registered client; empty = no owner.',
          'Клиент, завершивший регистрацию; пусто — без владельца.'] },
      note:     { type: 'text',      label: ['Note', 'Примечание'], maxLength: 250 },
    },
    reason: 'note', start: { clientId: '$record.ownerId' }, changes: { clientId: 'ownerId' },
    refresh: ['guest', 'invitation'],
    ends: { tab: 'guest', label: ['A new owner ends the access of:', 'При смене владельца потеряют доступ:'],
      when: { field: 'state', op: 'in', value: ['INVITED', 'ACTIVE'] } },
    success: ['The owner is set', 'Владелец назначен'],
  },
  'end-maintenance': {
    label: ['End maintenance', 'Закончить обслуживание'], icon: 'check', call: ['PUT', 'ess/{id}/maintenance'],
    roles: fleetStaff, permit: 'served', when: { field: 'maintenance.until', op: 'gt', value: '$now' },
    body: { until: null },
    success: ['Maintenance has ended', 'Обслуживание закончено'],
  },
  maintenance: {
    label: ['Set maintenance', 'Назначить обслуживание'], icon: 'settings', call: ['PUT', 'ess/{id}/maintenance'],
    roles: fleetStaff, permit: 'served',
    form: {
      until:  { type: 'dateTime', label: ['Until', 'До'], required: true,
        help: ['At most 72 hours ahead', 'Не более 72 часов'] },
      reason: { type: 'text',     label: ['Reason', 'Причина'], minLength: 3, maxLength: 250 },
    },
    start: { until: '$record.maintenance.until', reason: '$record.maintenance.reason' },
    success: ['The ESS is under maintenance', 'СНЭ на обслуживании'],
  },
  'edit-notes': {
    label: ['Edit notes', 'Изменить заметки'], icon: 'edit', call: ['PUT', 'ess/{id}/notes'], roles: ['service_engineer'],
    permit: 'served',
    form: { notes: { type: 'longText', label: ['Notes', 'Заметки'], maxLength: 4000 } },
    success: ['The notes are saved', 'Заметки сохранены'],
  },
  'attach-control-pcb': {
    label: ['Attach board', 'Подключить плату'], icon: 'plus', call: ['POST', 'ess/{id}/attach-control-pcb'], roles: fleetStaff,
    permit: 'served', refresh: ['control-pcb'], when: { field: 'lifecycle', op: 'ne', value: 'DECOMMISSIONED' },
    form: {
      controlPcbId: { type: 'reference', label: ['Board', 'Плата'], required: true, to: 'control-pcb',
        options: 'control-pcb?essId_null=true' },
      role:         { type: 'enum',      label: ['Role', 'Роль'], required: true, default: 'MAIN',
        options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] } },
      reason:       { type: 'text',      label: ['Reason', 'Причина'], maxLength: 250 },
    },
    success: ['The board is attached', 'Плата подключена'],
  },
  'remove-control-pcb': {
    label: ['Remove board', 'Отключить плату'], icon: 'trash', on: 'row', call: ['DELETE', 'ess/{id}/remove-control-pcb'],
    roles: fleetStaff, permit: 'served', refresh: ['control-pcb'],
    body: { controlPcbId: '$row.id' },
    form: { reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
    confirm: { danger: true,
      body: ['The board no longer belongs to this ESS.', 'Плата больше не будет относиться к этой СНЭ.'] },
    success: ['The board is removed', 'Плата отключена'],
  },
  'invite-guest': {
    label: ['Invite guest', 'Пригласить гостя'], icon: 'plus', call: ['POST', 'ess/{id}/invite-guest'], roles: staff,
    refresh: ['guest'],
    form: {
      userId:    { type: 'reference', label: ['Client', 'Клиент'], to: 'client', options: 'ess/{id}/clients-to-invite' },
      email:     { type: 'email',     label: ['or e-mail', 'или эл. почта'],
        help: ['For a person without an account', 'Для того, у кого ещё нет учётной записи'] },
      expiresAt: { type: 'dateTime',  label: ['Access ends', 'Доступ до'] },
    },
    success: ['The guest is invited', 'Гость приглашён'],
  },
  'remove-guest': {
    label: ['Remove guest', 'Удалить гостя'], icon: 'trash', on: 'row', call: ['DELETE', 'ess/{id}/remove-guest'], roles: staff,
    refresh: ['guest'],
    body: { userId: '$row.userId' },
    success: ['The guest is removed', 'Гость удалён'],
    confirm: { danger: true, body: ['The guest no longer sees this ESS.', 'Гость больше не увидит эту СНЭ.'] },
  },
  'invite-service-engineer': {
    label: ['Invite engineer', 'Пригласить инженера'], icon: 'plus', call: ['POST', 'ess/{id}/invite-service-engineer'],
    roles: staff, fresh: true, refresh: ['service-engineer'],
    form: {
      userId: { type: 'reference', label: ['Engineer', 'Инженер'], to: 'user', options: 'ess/{id}/service-engineer-to-invite' },
      email:  { type: 'email',     label: ['or e-mail', 'или эл. почта'],
        help: ['For a person without an account', 'Для того, у кого ещё нет учётной записи'] },
      scope:  { type: 'enum',      label: ['Scope', 'Права'], required: true, default: 'FULL',
        options: { FULL: ['Full', 'Полные'], READ: ['Read only', 'Только чтение'] } },
    },
    success: ['The engineer is invited', 'Инженер приглашён'],
  },
  'remove-service-engineer': {
    label: ['Remove engineer', 'Удалить инженера'], icon: 'trash', on: 'row',
    call: ['DELETE', 'ess/{id}/remove-service-engineer'], roles: staff, refresh: ['service-engineer'],
    body: { userId: '$row.userId' },
    success: ['The engineer is removed', 'Инженер удалён'],
    confirm: { danger: true, body: ['The engineer no longer serves this ESS.', 'Инженер больше не обслуживает эту СНЭ.'] },
  },
} as const satisfies Record<string, Action>
