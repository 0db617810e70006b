import type { Label } from './words.ts'

/** Debug logging wears out a board's flash and saturates its link. */
export const longestDebugMin = 60

/** Reasons of automatic changes and refusals: the server stores the code, the console shows the text. */
export const serverReasons = {
  'debug-ended': ['DEBUG ended automatically after 60 minutes', 'DEBUG завершён автоматически через 60 минут'],
  'automatic-update': ['The board updates automatically', 'Плата обновляется автоматически'],
  'snooze-ended': ['The time of the snooze is over', 'Время откладывания истекло'],
  'access-ended': ['The time of the access is over', 'Срок доступа истёк'],
  'role-changed': ['The person has another role', 'У пользователя другая роль'],
  'not-acknowledged': ['Nobody acknowledged it in time', 'Никто не подтвердил вовремя'],
  'webhook.gone': ['The receiver has answered 410', 'Получатель ответил 410'],
  'webhook.failing': ['No delivery has succeeded for a day', 'Сутки ни одной успешной доставки'],
  'too-many-attempts': ['Too many failed attempts', 'Слишком много неудачных попыток'],
  'wrong-password': ['Wrong e-mail or password', 'Неверная почта или пароль'],
  totp: ['By a code of the app', 'По коду из приложения'],
  passkey: ['By a passkey', 'По ключу доступа'],
  recovery: ['By a recovery code', 'По резервному коду'],
  oidc: ['Through the sign-in provider', 'Через провайдера входа'],
  'oidc.only': ['The role has no password sign-in', 'Для роли вход по паролю выключен'],
  'oidc.email-unverified': ['The provider has not verified the e-mail', 'Провайдер не подтвердил почту'],
  'oidc.uninvited': ['There is no invited account', 'Нет приглашённой учётной записи'],
  'oidc.other-account': ['Linked with another account of the provider', 'Связана с другой учётной записью провайдера'],
  'oidc.no-role': ['The provider gives no role', 'Провайдер не даёт роли'],
  'oidc.not-again': ['The provider did not ask again', 'Провайдер не запросил повторный вход'],
  'user.last-admin': ['The last admin stays one', 'Последний администратор им остаётся'],
  'user.owns-systems': ['A client who owns an ESS stays a client', 'Клиент, у которого есть СНЭ, остаётся клиентом'],
  'wrong-code': ['Wrong code', 'Неверный код'],
  'wrong-passkey': ['The passkey was refused', 'Ключ доступа не принят'],
  'passkey.counter': ['The passkey may be a copy', 'Возможно, это копия ключа доступа'],
  'user.locked': ['The account is locked', 'Учётная запись заблокирована'],
  'user.deleted': ['The account is deleted', 'Учётная запись удалена'],
} as const satisfies Record<string, Label>

/** Code of an automatic change or a refusal. */
export type ServerReason = keyof typeof serverReasons
