import { defineResource } from '#schema/resource.ts'
import { severities } from './shared/status-parts.ts'
import { webhookEvents } from './shared/webhook-events.ts'

/** Shown once beside a new secret. */
const secretHelp = [
  'It is shown only this once: copy it into the receiver, which checks the webhook-signature header with it.',
  'Секрет виден только сейчас: скопируйте его в принимающую систему, она проверяет им заголовок webhook-signature.',
] as const

/** Address of another system that receives events by signed calls (Standard Webhooks). */
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
    name:           { type: 'text',     label: ['Name', 'Название'], required: true, unique: true, maxLength: 80 },
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
    secretAt:       { type: 'dateTime', label: ['Secret made', 'Секрет создан'], readOnly: true,
      none: ['No secret', 'Нет секрета'] },
    oldSecretUntil: { type: 'dateTime', label: ['Previous secret signs until', 'Прежний секрет подписывает до'],
      readOnly: true },
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
    sort: { field: 'name', order: 'asc' },
    tone: { bad: { field: 'pausedBecause', op: 'in', value: ['GONE', 'FAILING'] } },
    empty: { title: ['No webhooks', 'Вебхуков нет'],
      text: ['A webhook notifies another system about warnings and other events as they happen.',
        'Вебхук сообщает другой системе о предупреждениях и других событиях.'],
      first: ['Create one, generate its secret, send a test and resume it.',
        'Создайте вебхук, выпустите секрет, отправьте проверку и запустите его.'] },
  },
  sections: {
    details: ['name', 'url', 'events', 'minSeverity'],
    status: ['state', 'pausedBecause', 'secretAt', 'oldSecretUntil', 'lastSuccessAt', 'failures', 'failingSince', 'waiting'],
  },
  tabs: {
    'webhook-delivery': { label: ['Deliveries', 'Доставки'], resource: 'webhook-delivery',
      empty: { title: ['No deliveries yet', 'Доставок пока нет'],
        text: ['Send a test, or wait for an event that this webhook has chosen.',
          'Отправьте проверку или дождитесь выбранного события.'] } },
  },
  actions: {
    resume: {
      label: ['Resume', 'Запустить'], icon: 'play',
      when: { all: [{ field: 'state', op: 'eq', value: 'PAUSED' }, { field: 'secretAt', op: 'null', value: false }] },
      success: ['The webhook is active', 'Вебхук работает'],
    },
    pause: {
      label: ['Pause', 'Приостановить'], icon: 'pause',
      when: { field: 'state', op: 'eq', value: 'ACTIVE' },
      success: ['The webhook is paused; its messages are kept', 'Вебхук приостановлен, сообщения для него копятся'],
    },
    test: {
      label: ['Send a test', 'Отправить проверку'], icon: 'bolt', call: ['POST', 'webhook/{id}/test'],
      when: { field: 'secretAt', op: 'null', value: false },
      opens: 'webhook-delivery',
      success: ['The test is being sent', 'Проверка отправляется'],
    },
    'new-secret': {
      label: ['New secret', 'Новый секрет'], icon: 'key', call: ['POST', 'webhook/{id}/secret'], fresh: true,
      confirm: {
        body: ['The secret is shown once: have the settings of the receiver at hand.',
          'Секрет показывается один раз: откройте заранее настройки получателя.'],
        also: [{ when: { field: 'secretAt', op: 'null', value: false },
          text: ['The old secret stays valid beside the new one for 24 hours. Update the receiver within that time.',
            'Прежний секрет ещё 24 часа подписывает вместе с новым: за это время замените его у получателя.'] }] },
      reveals: { value: 'secret', label: ['Secret', 'Секрет'], text: secretHelp },
      success: ['The webhook has a new secret', 'У вебхука новый секрет'],
    },
  },
})
