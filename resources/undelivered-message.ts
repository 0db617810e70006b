import { defineResource } from '#schema/resource.ts'
import { messageKinds } from './shared/message-kinds.ts'

/** A mail or push that was given up after its last attempt; its id is that of the mail in the queue. */
export const undeliveredMessage = defineResource({
  name: 'undelivered-message',
  menu: { group: 'system', count: { filters: { state: ['FAILED'] }, tone: 'bad', label: ['given up', 'не доставлено'] } },
  label: { one: ['Undelivered message', 'Недоставленное сообщение'],
    many: ['Undelivered messages', 'Недоставленные сообщения'] },
  icon: 'ban',
  title: 'recipient',
  live: true,

  fields: {
    channel:     { type: 'enum',      label: ['Sent as', 'Способ отправки'], readOnly: true, options: {
      MAIL: ['Mail', 'Почта'],
      PUSH: ['Push', 'Push-уведомление'],
    } },
    kind:        { type: 'enum',      label: ['Kind', 'Вид'], readOnly: true, options: messageKinds },
    recipient:   { type: 'email',     label: ['Recipient', 'Получатель'], readOnly: true, search: true },
    userId:      { type: 'reference', label: ['User', 'Пользователь'], to: 'user', readOnly: true },
    state:       { type: 'status',    label: ['State', 'Состояние'], readOnly: true, states: {
      FAILED:  { tone: 'bad',  label: ['Given up', 'Не доставлено'] },
      WAITING: { tone: 'info', label: ['Sending again', 'Отправляется снова'] },
      SENT:    { tone: 'good', label: ['Sent', 'Отправлено'] },
    } },
    attempts:    { type: 'integer',   label: ['Attempts', 'Попыток'], readOnly: true },
    failure:     { type: 'enum',      label: ['Failure', 'Ошибка'], readOnly: true, options: {
      REFUSED:     ['Refused for good', 'Окончательный отказ'],
      UNREACHABLE: ['Not taken in any attempt', 'Не принято ни с одной попытки'],
      LINK:        ['Its link is sealed by a key that is gone', 'Ссылка запечатана утраченным ключом'],
    } },
    failureText: { type: 'text',      label: ['Failure in words', 'Описание ошибки'], readOnly: true, detailOnly: true },
    givenUpAt:   { type: 'dateTime',  label: ['Given up at', 'Прекращено'], readOnly: true },
  },

  list: {
    columns: ['givenUpAt', 'recipient', 'kind', 'channel', 'state', 'attempts', 'failure'],
    filters: ['state', 'channel', 'kind', 'failure', 'givenUpAt'],
    sort: { field: 'givenUpAt', order: 'desc' },
    tone: { bad: { field: 'state', op: 'eq', value: 'FAILED' } },
    bulk: ['send-again'],
    views: { failed: { label: ['Given up', 'Недоставленные'], filters: { state: 'FAILED' } } },
    empty: { title: ['Every message was delivered', 'Все сообщения доставлены'],
      text: ['Mails and pushes that could not be delivered are listed here for 30 days.',
        'Здесь 30 дней видны письма и уведомления, которые не удалось доставить.'] },
  },
  actions: {
    // A push of yesterday is of no use; what it told is in the console.
    'send-again': {
      label: ['Send again', 'Отправить снова'], icon: 'refresh', roles: ['admin'],
      when: { all: [{ field: 'state', op: 'eq', value: 'FAILED' }, { field: 'channel', op: 'eq', value: 'MAIL' }] },
      success: ['Sending again', 'Отправляется снова'],
    },
  },
  access: { list: ['admin'] },
})
