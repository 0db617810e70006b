import { defineResource } from '#schema/resource.ts'
import { severities } from './shared/site.ts'
import { webhookEvents } from './shared/webhook-events.ts'

/** Shown once beside a new secret. */
const secretHelp = [
  'It is shown only this once: copy it into the receiver, which checks the header webhook-signature with it.',
  'Секрет виден только сейчас: скопируйте его в принимающую систему, она проверяет им заголовок webhook-signature.',
] as const

/** Address of another system that is told of events by signed calls (Standard Webhooks). */
export const webhook = defineResource({
  name: 'webhook',
  menu: { group: 'system' },
  label: { one: ['Webhook', 'Вебхук'], many: ['Webhooks', 'Вебхуки'] },
  icon: 'external',
  title: 'name',
  live: true,
  // Import: each is tried with its receiver before it is started.
  import: false,

  fields: {
    name:           { type: 'text',     label: ['Name', 'Название'], required: true, unique: true, maxLength: 80, search: true },
    url:            { type: 'url',      label: ['Address', 'Адрес'], required: true, fresh: true,
      help: ['https:// and a public host; the setting WEBHOOK_NETWORKS opens private networks',
        'https:// и публичный узел; частные сети открывает настройка WEBHOOK_NETWORKS'] },
    events:         { type: 'tags',     label: ['Events', 'События'], required: true, options: webhookEvents },
    minSeverity:    { type: 'enum',     label: ['Warnings from severity', 'Предупреждения от важности'],
      none: ['every severity', 'любая важность'], options: {
        INFO:     severities.INFO.label,
        WARNING:  severities.WARNING.label,
        CRITICAL: severities.CRITICAL.label,
      } },
    state:          { type: 'status',   label: ['State', 'Состояние'], readOnly: true, default: 'PAUSED', states: {
      PAUSED: { tone: 'warn', label: ['Paused', 'Приостановлен'], next: ['ACTIVE'] },
      ACTIVE: { tone: 'good', label: ['Active', 'Работает'], next: ['PAUSED'] },
    } },
    pausedBecause:  { type: 'enum',     label: ['Why it is paused', 'Причина паузы'], readOnly: true, default: 'NEW', options: {
      NEW:     ['Not started yet', 'Ещё не запущен'],
      PERSON:  ['Paused by a person', 'Приостановлен пользователем'],
      GONE:    ['The receiver has answered 410', 'Получатель ответил 410'],
      FAILING: ['No delivery has succeeded for a day', 'Сутки ни одной успешной доставки'],
    } },
    secretAt:       { type: 'dateTime', label: ['Secret made', 'Секрет создан'], readOnly: true, detailOnly: true,
      none: ['No secret', 'Нет секрета'] },
    oldSecretUntil: { type: 'dateTime', label: ['Former secret signs until', 'Прежний секрет подписывает до'], readOnly: true,
      detailOnly: true },
    lastSuccessAt:  { type: 'dateTime', label: ['Last success', 'Последний успех'], relative: true, readOnly: true,
      none: ['Never', 'Никогда'] },
    failures:       { type: 'integer',  label: ['Failures in a row', 'Сбоев подряд'], readOnly: true, default: 0 },
    failingSince:   { type: 'dateTime', label: ['Failing since', 'Сбои с'], relative: true, readOnly: true },
    waiting:        { type: 'count',    label: ['Waiting', 'В очереди'], of: 'webhook-delivery', by: 'webhookId',
      where: { field: 'state', op: 'in', value: ['WAITING', 'HELD'] } },
  },

  list: {
    columns: ['name', 'url', 'state', 'events', 'lastSuccessAt', 'failures', 'waiting'],
    filters: ['state', 'events'],
    search: ['name', 'url'],
    sort: { field: 'name', order: 'asc' },
    tone: { bad: { field: 'pausedBecause', op: 'in', value: ['GONE', 'FAILING'] } },
    empty: { title: ['No webhooks', 'Вебхуков нет'],
      text: ['A webhook tells another system of warnings and other events as they happen.',
        'Вебхук сообщает другой системе о предупреждениях и других событиях.'],
      first: ['Create one, make its secret, send a test and resume it.',
        'Создайте вебхук, выпустите секрет, отправьте проверку и запустите его.'] },
  },
  sections: {
    details: ['name', 'url', 'events', 'minSeverity'],
    status: ['state', 'pausedBecause', 'secretAt', 'oldSecretUntil', 'lastSuccessAt', 'failures', 'failingSince', 'waiting'],
  },
  tabs: {
    'webhook-delivery': { label: ['Deliveries', 'Доставки'], resource: 'webhook-delivery',
      columns: ['createdAt', 'event', 'state', 'attempts', 'statusCode', 'durationMs', 'dueAt', 'failure'],
      empty: { title: ['No deliveries yet', 'Доставок пока нет'],
        text: ['Send a test, or wait for an event that this webhook has chosen.',
          'Отправьте проверку или дождитесь выбранного события.'] } },
  },
  actions: {
    'new-secret': {
      label: ['New secret', 'Новый секрет'], icon: 'key', call: ['POST', 'webhook/{id}/secret'], roles: ['admin'], fresh: true,
      confirm: {
        body: ['A former secret signs beside the new one for 24 hours, so that the receiver can be changed without a loss.',
          'Прежний секрет ещё 24 часа подписывает вместе с новым, чтобы получателя можно было перенастроить без потерь.'] },
      reveals: { value: 'secret', label: ['Secret', 'Секрет'], text: secretHelp },
      success: ['The webhook has a new secret', 'У вебхука новый секрет'],
    },
    test: {
      label: ['Send a test', 'Отправить проверку'], icon: 'bolt', call: ['POST', 'webhook/{id}/test'], roles: ['admin'],
      when: { field: 'secretAt', op: 'null', value: false },
      opens: 'webhook-delivery', refresh: ['webhook-delivery'],
      success: ['The test is on its way', 'Проверка отправляется'],
    },
    resume: {
      label: ['Resume', 'Запустить'], icon: 'play', roles: ['admin'], refresh: ['webhook-delivery'],
      when: { all: [{ field: 'state', op: 'eq', value: 'PAUSED' }, { field: 'secretAt', op: 'null', value: false }] },
      success: ['The webhook is active', 'Вебхук работает'],
    },
    pause: {
      label: ['Pause', 'Приостановить'], icon: 'pause', roles: ['admin'], refresh: ['webhook-delivery'],
      when: { field: 'state', op: 'eq', value: 'ACTIVE' },
      success: ['The webhook is paused; what happens is kept for it', 'Вебхук приостановлен, события для него копятся'],
    },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
