import { defineResource } from '#schema/resource.ts'
import { deliveredEvents } from './shared/webhook-events.ts'

/** A message to a webhook and how its last attempt went; its id is the webhook-id of every attempt. */
export const webhookDelivery = defineResource({
  name: 'webhook-delivery',
  menu: false,
  label: { one: ['Delivery', 'Доставка'], many: ['Deliveries', 'Доставки'] },
  icon: 'external',
  title: 'id',
  live: true,

  fields: {
    webhookId:     { type: 'reference', label: ['Webhook', 'Вебхук'], readOnly: true, to: 'webhook' },
    event:         { type: 'enum',      label: ['Event', 'Событие'], readOnly: true, options: deliveredEvents },
    state:         { type: 'status',    label: ['State', 'Состояние'], readOnly: true, states: {
      WAITING:   { tone: 'info', label: ['Waiting', 'В очереди'] },
      HELD:      { tone: 'warn', label: ['On hold', 'Ждёт запуска'] },
      DELIVERED: { tone: 'good', label: ['Delivered', 'Доставлено'] },
      FAILED:    { tone: 'bad',  label: ['Given up', 'Не доставлено'] },
    } },
    attempts:      { type: 'integer',   label: ['Attempts', 'Попыток'], readOnly: true, default: 0 },
    dueAt:         { type: 'dateTime',  label: ['Next attempt', 'Следующая попытка'], relative: true, readOnly: true },
    lastAttemptAt: { type: 'dateTime',  label: ['Last attempt', 'Последняя попытка'], seconds: true, readOnly: true },
    statusCode:    { type: 'integer',   label: ['Status code', 'Код ответа'], readOnly: true },
    durationMs:    { type: 'quantity',  label: ['Duration', 'Длительность'], unit: 'ms', readOnly: true },
    failure:       { type: 'enum',      label: ['Failure', 'Ошибка'], readOnly: true, options: {
      STATUS:      ['Answered with an error', 'Ответ с ошибкой'],
      REDIRECT:    ['Answered with a redirect, which is not followed', 'Перенаправление: по нему не переходят'],
      GONE:        ['Answered 410 Gone', 'Ответ 410: адреса больше нет'],
      TIMEOUT:     ['No answer in 10 seconds', 'Нет ответа за 10 секунд'],
      UNREACHABLE: ['No connection', 'Нет соединения'],
      ADDRESS:     ['Address that is not allowed', 'Недопустимый адрес'],
      OUTDATED:    ['Held for too long while the webhook was paused', 'Устарело, пока вебхук был на паузе'],
      SECRET:      ['No secret, or sealed by another key', 'Нет секрета или он запечатан другим ключом'],
    } },
    failureText:   { type: 'text',      label: ['Failure in words', 'Описание ошибки'], readOnly: true, detailOnly: true },
    response:      { type: 'longText',  label: ['Answer, first 1 KB', 'Ответ, первый 1 КБ'], readOnly: true, detailOnly: true },
    body:          { type: 'longText',  label: ['Message', 'Сообщение'], readOnly: true, detailOnly: true },
  },

  list: {
    columns: ['createdAt', 'webhookId', 'event', 'state', 'attempts', 'statusCode', 'durationMs', 'dueAt', 'failure'],
    filters: ['state', 'event', 'webhookId', 'failure', 'createdAt'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { bad: { field: 'state', op: 'eq', value: 'FAILED' } },
    bulk: ['send-again'],
    views: { failed: { label: ['Given up', 'Недоставленные'], filters: { state: 'FAILED' } } },
    empty: { title: ['No deliveries yet', 'Доставок пока нет'],
      text: ['Each message that is sent to a webhook is listed here.',
        'Каждое выбранное вебхуком событие оставляет здесь запись.'] },
  },
  actions: {
    'send-again': {
      label: ['Send again', 'Отправить снова'], icon: 'refresh', roles: ['admin'],
      when: { field: 'state', op: 'in', value: ['DELIVERED', 'FAILED'] },
      success: ['Sending again with the same id', 'Отправляется снова с тем же номером'],
    },
  },
  access: { list: ['admin'] },
})
