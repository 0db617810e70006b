import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { languageOptions } from './shared/choices.ts'
import { accountStates, clientDeletion, openInvitation, resendOpen } from './shared/people.ts'

/** A user with the role client, as the service sees a customer. */
export const client = defineResource({
  name: 'client',
  label: { one: ['Client', 'Клиент'], many: ['Clients', 'Клиенты'] },
  icon: 'client',
  menu: { group: 'people' },
  title: 'email',
  summary: ['name', 'email'],
  unseen: { installer: [], client: [] },
  live: true,
  logsReads: true,
  deletion: clientDeletion,
  when: { delete: { field: 'status', op: 'ne', value: 'DELETED' } },
  subset: { of: 'user', where: { role: 'client' } },

  fields: {
    email:              { type: 'email',      label: ['E-mail', 'Эл. почта'], required: true, unique: true, immutable: true,
      search: true },
    name:               { type: 'text',       label: ['Name', 'Имя и фамилия'], derived: true, readOnly: true },
    status:             { type: 'status',     label: ['Status', 'Статус'], derived: true, readOnly: true,
      states: accountStates },
    firstName:          { type: 'text',       label: ['First name', 'Имя'], required: true, maxLength: 64, search: true },
    lastName:           { type: 'text',       label: ['Last name', 'Фамилия'], required: true, maxLength: 64, search: true },
    phone:              { type: 'phone',      label: ['Phone', 'Телефон'], search: true },
    language:           { type: 'enum',       label: ['Language', 'Язык'], options: languageOptions },
    clientType:         { type: 'enum',       label: ['Type', 'Тип'], default: 'PERSON',
      options: { PERSON: ['Person||kind of client', 'Частное лицо'], COMPANY: ['Company', 'Организация'] } },
    companyName:        { type: 'text',       label: ['Company', 'Организация'], maxLength: 128, required: true, search: true,
      when: { field: 'clientType', op: 'eq', value: 'COMPANY' } },
    taxId:              { type: 'text',       label: ['Tax id', 'ИНН'], pattern: '^[0-9]{5,20}$',
      help: ['5 to 20 digits', 'От 5 до 20 цифр'] },
    contractNo:         { type: 'text',       label: ['Contract no.', '№ договора'], maxLength: 32, search: true },
    address:            { type: 'group',      label: ['Address', 'Адрес'], detailOnly: true, fields: {
      country:    { type: 'text', label: ['Country', 'Страна'], pattern: '^[A-Z]{2}$',
        help: ['Two letters, like DE', 'Две буквы, например RU'] },
      region:     { type: 'text', label: ['Region', 'Регион'], maxLength: 64 },
      city:       { type: 'text', label: ['City', 'Город'], maxLength: 64 },
      street:     { type: 'text', label: ['Street', 'Улица, дом'], maxLength: 128 },
      postalCode: { type: 'text', label: ['Postal code', 'Индекс'], maxLength: 16 },
    } },
    staffNote:          { type: 'longText',   label: ['Note of the staff', 'Заметка для сотрудников'], maxLength: 2000,
      detailOnly: true, access: { read: fleetStaff } },
    lastLoginAt:        { type: 'dateTime',   label: ['Last sign-in', 'Последний вход'], relative: true, readOnly: true },
    essCount:           { type: 'count',      label: ['ESS owned', 'СНЭ в собственности'], derived: true, readOnly: true },
    guestEssCount:      { type: 'count',      label: ['ESS as guest', 'СНЭ как гость'], derived: true, readOnly: true },
    activeWarningCount: { type: 'count',      label: ['Open warnings', 'Открытых предупреждений'], derived: true,
      readOnly: true },
    invitationId:       openInvitation,
    engineerIds:        { type: 'references', label: ['Service engineers', 'Сервисные инженеры'], to: 'user', derived: true,
      readOnly: true },
  },

  list: {
    columns: ['email', 'name', 'clientType', 'status', 'phone', 'essCount', 'guestEssCount', 'createdAt'],
    filters: ['status', 'clientType'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { bad: { field: 'status', op: 'eq', value: 'LOCKED' }, idle: { field: 'status', op: 'eq', value: 'DELETED' } },
    empty: { title: ['No clients yet', 'Клиентов пока нет'],
      text: ['A client owns systems, or sees one of another as a guest.',
        'Клиент владеет системами или видит чужую как гость.'],
      first: ['Create the first one: the invitation goes out by mail.', 'Создайте первого: приглашение придёт ему по почте.'] },
  },
  sections: {
    identity: ['email', 'status', 'firstName', 'lastName', 'clientType', 'companyName', 'taxId', 'contractNo'],
    contact: ['phone', 'language', 'address'],
    notes: ['staffNote'],
    activity: ['essCount', 'guestEssCount', 'activeWarningCount', 'lastLoginAt'],
  },
  tabs: {
    index: { label: ['Info', 'Сведения'], sections: ['identity', 'contact', 'notes', 'activity'] },
    ess: { label: ['ESS', 'СНЭ'], resource: 'ess', from: 'ess/by-user/{id}' },
  },
  actions: {
    resend: resendOpen,
  },
  access: { list: fleetStaff, create: staff, edit: staff, delete: staff },
  api: { list: 'user/client' },
})
