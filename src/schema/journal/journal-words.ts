import { type Definitions, type JournalPart, titleLabel } from '#schema/definition.ts'
import type { Journal } from '#schema/facts/journal-facts.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { serverReasons } from '#schema/server-reasons.ts'
import type { Label } from '#schema/words.ts'

type Words = Readonly<Record<string, Label>>

/** Audit actions that no definition names. */
export const auditActionWords: Words = {
  create: ['Created', 'Создание'],
  update: ['Changed', 'Изменение'],
  delete: ['Deleted', 'Удаление'],
  list: ['Read a list', 'Чтение списка'],
  show: ['Read', 'Чтение'],
  read: ['Read', 'Чтение'],
  login: ['Signed in', 'Вход'],
  challenge: ['Gave the password', 'Ввод верного пароля'],
  confirm: ['Confirmed the identity', 'Подтверждение личности'],
  'add-factor': ['Set up a second factor', 'Подключение второго фактора'],
  'remove-factor': ['Removed the second factor', 'Удаление второго фактора'],
  'add-passkey': ['Added a passkey', 'Добавление ключа доступа'],
  'rename-passkey': ['Renamed a passkey', 'Переименование ключа доступа'],
  'remove-passkey': ['Removed a passkey', 'Удаление ключа доступа'],
  'renew-recovery-codes': ['Made new recovery codes', 'Новые резервные коды'],
  logout: ['Signed out', 'Выход'],
  'end session': ['Ended a session', 'Завершение сеанса'],
  'token reuse': ['Used an outdated token', 'Использование старого токена'],
  invite: ['Invited', 'Приглашение отправлено'],
  accept: ['Accepted', 'Приглашение принято'],
  configure: ['Configured', 'Настройка'],
  escalate: ['Notified the next group', 'Сообщение следующей группе'],
  'change-severity': ['Changed the severity', 'Изменение важности'],
  'end-snooze': ['Ended the snooze', 'Завершение откладывания'],
  'end-access': ['Ended the access', 'Завершение доступа'],
  'end-debug': ['Ended DEBUG', 'Завершение DEBUG'],
  'set-threshold': ['Changed the thresholds', 'Изменение порогов'],
  'reset-threshold': ['Reset the thresholds', 'Сброс порогов'],
  'set-chemistry-preset': ['Changed the limits of cells', 'Изменение пределов ячеек'],
  'reset-chemistry-preset': ['Reset the limits of cells', 'Сброс пределов ячеек'],
  import: ['Imported', 'Загрузка из файла'],
  'undo-import': ['Undid an import', 'Отмена загрузки'],
  'demo-fleet': ['Used the demo fleet', 'Работа с демо-парком'],
  purge: ['Erased', 'Окончательное удаление'],
  complete: ['Finished the registration', 'Завершение регистрации'],
  'change-password': ['Changed the password', 'Смена пароля'],
  'change-email': ['Changed the e-mail', 'Смена почты'],
  'restore-password': ['Restored the password', 'Восстановление пароля'],
  'cancel-delete': ['Cancelled the deletion', 'Отмена удаления'],
  'device-keys': ['Made device keys', 'Выпуск ключей плат'],
  'rotate-key': ['Changed its key', 'Смена ключа платы'],
  'integrity-check': ['File check', 'Проверка файла'],
  export: ['Exported', 'Выгрузка в файл'],
  move: ['Took over', 'Переход к другому пользователю'],
  test: ['Sent a test notification', 'Проверка уведомлений'],
}

/** Audit subjects other than resources. */
export const kinds: Words = {
  session: ['Session', 'Сеанс'],
  device: ['Notified browser', 'Браузер для уведомлений'],
  outbox: ['Mail', 'Письмо'],
  telemetry: ['Telemetry', 'Телеметрия'],
  'import-job': ['Import', 'Загрузка из файла'],
  'demo-fleet': ['Demo fleet', 'Демо-парк'],
  'warning-threshold': ['Warning thresholds', 'Пороги предупреждений'],
  unknown: ['Unknown call', 'Неизвестный вызов'],
  'chemistry-preset': ['Limits of cells', 'Пределы ячеек'],
}

/** A code may equal a property of Object.prototype. */
const wordsOf = (words: Words, code: string): Label | undefined => (Object.hasOwn(words, code) ? words[code] : undefined)

/** Label of an audited action; undefined for an unknown one. */
export const auditActionLabel = (resource: AnyResource | undefined, action: string): Label | undefined =>
  resource?.actions?.[action]?.label ?? wordsOf(auditActionWords, action)

/** Label of an audited subject; undefined for an unknown kind, such as a denied path. */
export const kindLabel = (resource: AnyResource | undefined, kind: string): Label | undefined =>
  resource?.label.one ?? wordsOf(kinds, kind)

/** Free text is unchanged; reasons of the server are codes. */
export const reasonLabel = (reason: string): Label => wordsOf(serverReasons, reason) ?? [reason, reason]

const partLabels: Record<JournalPart, (resource: AnyResource | undefined, text: string) => Label | undefined> = {
  action: auditActionLabel,
  kind: kindLabel,
  title: titleLabel,
  reason: (_resource, text) => reasonLabel(text),
}

export type JournalEntry = { journal: Journal; row: Readonly<Record<string, unknown>> }

/** A part of an entry as text: codes are labelled, other text is unchanged. */
export function journalLabel(part: JournalPart, { journal, row }: JournalEntry, definitions: Definitions): Label {
  const text = String(valueAt(row, journal[part]) ?? '')
  return partLabels[part](definitions.get(String(valueAt(row, journal.kind))), text) ?? [text, text]
}
