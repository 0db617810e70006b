import type { Label } from '#schema/words.ts'

/** One problem: status, text, and the form field it concerns. `{name}` placeholders are filled from the values. */
export type ProblemRow = { status: number; text: Label; field?: string }
/** Problems by stable code. Each room has its own table. */
export type ProblemTable = Readonly<Record<string, ProblemRow>>

/** Problems that any room may answer. */
export const problemTable = {
  invalid: { status: 400, text: ['Please check the values', 'Проверьте значения'] },
  malformed: {
    status: 400,
    text: ['The request could not be read. Check its form', 'Запрос не удалось прочитать. Проверьте его форму'],
  },
  'malformed.json': { status: 400, text: ['The body is not valid JSON', 'Тело запроса — не JSON'] },
  'malformed.encoding': { status: 400, text: ['The body is not valid UTF-8', 'Тело запроса — не UTF-8'] },
  'malformed.depth': { status: 400, text: ['The body is nested too deeply', 'В теле запроса слишком глубокая вложенность'] },
  'malformed.empty': { status: 400, text: ['The body is empty', 'Тело запроса пусто'] },
  'malformed.parameter': { status: 400, text: ['A query parameter is not allowed', 'Недопустимый параметр запроса'] },
  'malformed.idempotency-key': {
    status: 400,
    text: [
      'Idempotency-Key must have 1 to 200 printable ASCII characters without spaces',
      'Idempotency-Key — от 1 до 200 печатных символов ASCII без пробелов',
    ],
  },
  'wrong-password': { status: 400, text: ['The current password is not right', 'Текущий пароль указан неверно'] },

  'not-signed-in': { status: 401, text: ['Please sign in', 'Войдите в систему'] },
  'login-failed': { status: 401, text: ['E-mail or password is wrong', 'Неверная почта или пароль'] },

  forbidden: { status: 403, text: ['You may not do this', 'Это действие вам не разрешено'] },
  'not-permitted': { status: 403, text: ['You may not change “{title}”', 'Вам нельзя менять «{title}»'] },
  'field-forbidden': { status: 403, text: ['You may not change: {fields}', 'Вам нельзя менять: {fields}'] },
  'confirmation-needed': {
    status: 403,
    text: ['Confirm that it is you, then try again', 'Подтвердите, что это вы, и повторите'],
  },
  'not-assigned': {
    status: 403,
    text: ['Only an engineer who serves this ESS may do this', 'Это может сделать только инженер, который обслуживает эту СНЭ'],
  },
  'user.self': {
    status: 403,
    text: ['You cannot do this to your own account', 'С собственной учётной записью это сделать нельзя'],
  },
  'user.last-admin': {
    status: 403,
    text: ['At least one active admin must remain', 'Должен остаться хотя бы один действующий администратор'],
  },
  'user.above': {
    status: 403,
    text: ['Only an admin may do this to this user', 'С этим пользователем это может сделать только администратор'],
  },

  'device-key.unknown': {
    status: 403,
    text: ['No board has this device key', 'Ни у одной платы нет такого ключа'],
  },

  'not-found': {
    status: 404,
    text: ['There is no such record, or you may not see it', 'Такой записи нет или она вам недоступна'],
  },
  'no-such-address': { status: 404, text: ['There is no such address: {method} {path}', 'Такого адреса нет: {method} {path}'] },

  'device.disabled': {
    status: 409,
    text: [
      'This device no longer takes notifications. Turn them on again on the device itself',
      'Устройство больше не принимает уведомления. Включите их снова на самом устройстве',
    ],
  },
  'stale-version': {
    status: 409,
    text: [
      'Someone else has changed this record meanwhile. Compare and save again',
      'Запись тем временем изменил кто-то другой. Сравните и сохраните ещё раз',
    ],
  },
  'file.damaged': {
    status: 409,
    text: [
      'The stored file is damaged: its bytes have changed since it was uploaded. Upload it again',
      'Сохранённый файл повреждён: его содержимое изменилось после загрузки. Загрузите его снова',
    ],
  },
  duplicate: { status: 409, text: ['This value is already taken: {fields}', 'Такое значение уже занято: {fields}'] },
  'duplicate-together': {
    status: 409,
    text: [
      'Another record has the same values of these fields together: {fields}',
      'У другой записи уже такие же значения этих полей вместе: {fields}',
    ],
  },
  'in-use': {
    status: 409,
    text: ['Other records still refer to this one{instead}', 'На эту запись ссылаются другие{instead}'],
  },
  'action.wrong-state': {
    status: 409,
    text: [
      '“{action}” is not possible in the present state of {title}{possible}',
      '«{action}» невозможно в нынешнем состоянии: {title}{possible}',
    ],
  },
  'action.changes-nothing': {
    status: 409,
    text: ['“{action}” would change nothing of {title}', '«{action}» ничего не изменит: {title}'],
  },
  'edit.wrong-state': {
    status: 409,
    text: [
      '“{title}” cannot be changed in its present state{possible}',
      '«{title}» нельзя изменить в нынешнем состоянии{possible}',
    ],
  },
  'delete.wrong-state': {
    status: 409,
    text: [
      '“{title}” cannot be deleted in its present state{possible}',
      '«{title}» нельзя удалить в нынешнем состоянии{possible}',
    ],
  },
  transition: {
    status: 409,
    text: ['From {from} to {to} is not possible. Possible: {allowed}', 'Из {from} в {to} перейти нельзя. Возможно: {allowed}'],
  },

  'link.dead': {
    status: 410,
    text: ['This link has been used or is too old. Ask for a new one', 'Ссылка уже использована или устарела. Запросите новую'],
  },
  gone: { status: 410, text: ['This is not available any more', 'Это больше недоступно'] },
  'too-slow': {
    status: 408,
    text: [
      'This came too slowly. Send less at once, or over a faster line',
      'Данные шли слишком медленно. Отправляйте меньшими частями или по более быстрой связи',
    ],
  },
  'too-large': { status: 413, text: ['This is too large', 'Слишком большой объём данных'] },
  'file.too-large': { status: 413, text: ['The file is too large', 'Файл слишком большой'] },
  'address-too-long': { status: 414, text: ['The address is too long', 'Слишком длинный адрес'] },
  'wrong-media-type': {
    status: 415,
    text: ['This type of content is not accepted here', 'Такой тип содержимого здесь не принимается'],
  },
  'range-not-satisfiable': { status: 416, text: ['The file has no such part', 'В файле нет такой части'] },
  'key-reused': {
    status: 422,
    text: ['This request key was used with other content', 'Этот ключ запроса уже использован с другим содержимым'],
  },
  'user.locked': {
    status: 423,
    text: ['This account is locked. Ask an administrator', 'Учётная запись заблокирована. Обратитесь к администратору'],
  },
  'user.deleted': {
    status: 423,
    text: [
      'This account is deleted. The link in our mail restores it',
      'Учётная запись удалена. Восстановить её можно по ссылке из письма',
    ],
  },
  'too-many': {
    status: 429,
    text: ['Too many requests. Try again in {retryAfterS} s', 'Слишком много запросов. Повторите через {retryAfterS} с'],
  },
  'too-many-logins': {
    status: 429,
    text: [
      'Too many failed attempts. Try again in {retryAfterS} s',
      'Слишком много неудачных попыток. Повторите через {retryAfterS} с',
    ],
  },
  'headers-too-large': { status: 431, text: ['The request has too many headers', 'Слишком много заголовков в запросе'] },

  fault: {
    status: 500,
    text: [
      'Something went wrong on our side. Tell support this number: {requestId}',
      'На сервере произошла ошибка. Сообщите поддержке этот номер: {requestId}',
    ],
  },
  'disk-full': {
    status: 507,
    text: [
      'The disk of the server is nearly full, so it takes neither files nor packets. Free some space on it, then try again',
      'На диске сервера почти нет места, поэтому файлы и пакеты не принимаются. Освободите место и повторите',
    ],
  },
  unavailable: {
    status: 503,
    text: ['The service is not available right now. Try again in a moment', 'Сервис сейчас недоступен. Повторите чуть позже'],
  },
  busy: {
    status: 503,
    text: [
      'Someone else is changing the same data. Try again in a moment',
      'Эти же данные меняет кто-то другой. Повторите чуть позже',
    ],
  },
  'no-space': { status: 507, text: ['The server has no space left for this', 'На сервере не осталось места для этого'] },
} as const satisfies ProblemTable

export type ProblemCode = keyof typeof problemTable
