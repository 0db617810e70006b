import { defineResource } from '#schema/resource.ts'
import { staff } from '#schema/roles.ts'
import { languageOptions, noticeDelays, noticeLevels, noticeSites, roleOptions } from './shared/choices.ts'
import { accountStates, governed, openInvitation, resendOpen } from './shared/people.ts'

/** A person who may sign in, whatever the role. */
export const user = defineResource({
  name: 'user',
  label: { one: ['User', 'Пользователь'], many: ['Users', 'Пользователи'] },
  icon: 'users',
  title: 'email',
  permit: 'governed',
  when: { delete: { field: 'status', op: 'ne', value: 'DELETED' } },
  summary: ['email', 'name'],
  live: true,
  scope: { moderator: { any: [{ field: 'role', op: 'nin', value: ['admin', 'moderator'] },
    { field: 'id', op: 'eq', value: '$user.id' }] } },

  fields: {
    email:             { type: 'email',     label: ['E-mail', 'Эл. почта'], required: true, unique: true, immutable: true,
      search: true },
    role:              { type: 'enum',      label: ['Role', 'Роль'], required: true, fresh: true, options: roleOptions },
    status:            { type: 'status',    label: ['Status', 'Статус'], derived: true, readOnly: true, states: accountStates },
    firstName:         { type: 'text',      label: ['First name', 'Имя'], required: true, maxLength: 64, search: true },
    lastName:          { type: 'text',      label: ['Last name', 'Фамилия'], required: true, maxLength: 64, search: true },
    name:              { type: 'text',      label: ['Name', 'Имя'], derived: true, readOnly: true },
    phone:             { type: 'phone',     label: ['Phone', 'Телефон'] },
    language:          { type: 'enum',      label: ['Language', 'Язык'], options: languageOptions },
    timezone:          { type: 'timezone',  label: ['Time zone', 'Часовой пояс'] },
    notificationPrefs: { type: 'group',     label: ['Notifications', 'Уведомления'], detailOnly: true, fields: {
      push:     { type: 'enum',    label: ['In the browser', 'В браузере'], options: noticeLevels },
      email:    { type: 'enum',    label: ['By e-mail', 'Письмом'], options: noticeLevels },
      delayMin: { type: 'integer', label: ['When', 'Когда'], options: noticeDelays },
      sites:    { type: 'enum',    label: ['Sites', 'Объекты'], options: noticeSites },
    } },
    lockedAt:          { type: 'dateTime',  label: ['Locked', 'Заблокирован'], readOnly: true },
    lockedBy:          { type: 'reference', label: ['Locked by', 'Кем заблокирован'], to: 'user', readOnly: true },
    lockedReason:      { type: 'text',      label: ['Reason', 'Причина'], readOnly: true },
    deletedAt:         { type: 'dateTime',  label: ['Deleted', 'Удалён'], readOnly: true },
    purgeAt:           { type: 'dateTime',  label: ['Erased for good', 'Окончательное удаление'], readOnly: true },
    pendingEmail:      { type: 'email',     label: ['New e-mail, unconfirmed', 'Новая почта, не подтверждена'],
      readOnly: true },
    lastLoginAt:       { type: 'dateTime',  label: ['Last sign-in', 'Последний вход'], relative: true, readOnly: true },
    failedLoginCount:  { type: 'integer',   label: ['Failed sign-ins', 'Неудачные входы'], readOnly: true },
    essCount:          { type: 'count',     label: ['ESS', 'СНЭ'], derived: true, readOnly: true },
    secondFactor:      { type: 'boolean',   label: ['Second factor', 'Второй фактор'], derived: true, readOnly: true },
    invitationId:      openInvitation,
    governed,
  },

  list: {
    columns: ['email', 'name', 'role', 'status', 'essCount', 'lastLoginAt', 'createdAt'],
    filters: ['role', 'status'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { bad: { field: 'status', op: 'eq', value: 'LOCKED' }, idle: { field: 'status', op: 'eq', value: 'DELETED' } },
    bulk: ['lock', 'unlock'],
  },
  sections: {
    identity: ['email', 'pendingEmail', 'role', 'status', 'firstName', 'lastName', 'phone'],
    preferences: ['language', 'timezone', 'notificationPrefs'],
    activity: ['lastLoginAt', 'failedLoginCount', 'secondFactor', 'essCount', 'lockedAt', 'lockedBy', 'lockedReason',
      'deletedAt', 'purgeAt'],
  },
  tabs: {
    ess: { label: ['ESS', 'СНЭ'], resource: 'ess',
      from: 'ess/by-user/{id}?relation=owner&relation=guest&relation=service_engineer&relation=installer' },
  },
  actions: {
    lock: {
      label: ['Lock', 'Заблокировать'], icon: 'lock', permit: 'governed', call: ['DELETE', 'user/{id}/lock'],
      when: { field: 'status', op: 'in', value: ['ACTIVE', 'INVITED'] },
      form: { reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
      success: ['The user is locked', 'Пользователь заблокирован'],
      confirm: { danger: true,
        body: ['The user is signed out everywhere and cannot sign in.',
          'Пользователь выйдет на всех устройствах и не сможет войти.'] },
    },
    unlock: {
      label: ['Unlock', 'Разблокировать'], icon: 'unlock', permit: 'governed',
      when: { field: 'status', op: 'eq', value: 'LOCKED' },
      confirm: { body: ['The user may sign in again.', 'Пользователь снова сможет войти.'] },
      success: ['The user is unlocked', 'Пользователь разблокирован'],
    },
    restore: {
      label: ['Restore', 'Восстановить'], icon: 'unlock', roles: ['admin'],
      when: { field: 'status', op: 'eq', value: 'DELETED' },
      confirm: { body: ['The user may sign in again. All admins are told.',
        'Пользователь снова сможет войти. Все администраторы получат письмо.'] },
      success: ['The user is restored', 'Пользователь восстановлен'],
    },
    'reset-factor': {
      label: ['Reset the second factor', 'Сбросить второй фактор'], icon: 'key', roles: ['admin'],
      permit: 'governed', fresh: true, when: { field: 'secondFactor', op: 'eq', value: true },
      form: { reason: { type: 'text', label: ['Reason', 'Причина'], required: true, maxLength: 250 } },
      confirm: { danger: true,
        body: ['The person is signed out everywhere and signs in by the password alone. A letter tells of it.',
          'Пользователь выйдет на всех устройствах и войдёт по одному паролю. Ему придёт письмо об этом.'] },
      success: ['The second factor is reset', 'Второй фактор сброшен'],
    },
    resend: { ...resendOpen, permit: 'governed' },
  },
  import: false,
  access: { list: staff, create: staff, edit: staff, delete: staff },
})
