import { type Definitions, type JournalPart, titleLabel } from '#schema/definition.ts'
import type { Journal } from '#schema/facts/journal-facts.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { serverReasons } from '#schema/server-reasons.ts'
import type { Label } from '#schema/words.ts'

type Words = Readonly<Record<string, Label>>

/** Audit actions that no definition names. */
export const auditActionWords: Words = {
  create: ['created', 'создание'],
  update: ['changed', 'изменение'],
  delete: ['deleted', 'удаление'],
  list: ['read a list', 'чтение списка'],
  show: ['read', 'чтение'],
  read: ['read', 'чтение'],
  login: ['signed in', 'вход'],
  challenge: ['gave the password', 'ввод верного пароля'],
  confirm: ['confirmed the identity', 'подтверждение личности'],
  'add-factor': ['set up a second factor', 'подключение второго фактора'],
  'remove-factor': ['removed the second factor', 'удаление второго фактора'],
  'add-passkey': ['added a passkey', 'добавление ключа доступа'],
  'rename-passkey': ['renamed a passkey', 'переименование ключа доступа'],
  'remove-passkey': ['removed a passkey', 'удаление ключа доступа'],
  'renew-recovery-codes': ['made new recovery codes', 'новые резервные коды'],
  logout: ['signed out', 'выход'],
  'end session': ['ended a session', 'завершение сеанса'],
  'token reuse': ['used an outdated token', 'использование старого токена'],
  invite: ['invited', 'приглашение отправлено'],
  accept: ['accepted', 'приглашение принято'],
  configure: ['configured', 'настройка'],
  escalate: ['notified the next group', 'сообщение следующей группе'],
  'change-severity': ['changed the severity', 'изменение важности'],
  'end-snooze': ['ended the snooze', 'завершение откладывания'],
  'end-access': ['ended the access', 'завершение доступа'],
  'end-debug': ['ended DEBUG', 'завершение DEBUG'],
  'set-threshold': ['changed the thresholds', 'изменение порогов'],
  'reset-threshold': ['reset the thresholds', 'сброс порогов'],
  'set-chemistry-preset': ['changed the limits of cells', 'изменение пределов ячеек'],
  'reset-chemistry-preset': ['reset the limits of cells', 'сброс пределов ячеек'],
  import: ['imported', 'загрузка из файла'],
  'undo-import': ['undid an import', 'отмена загрузки'],
  'demo-fleet': ['used the demo fleet', 'работа с демо-парком'],
  purge: ['erased', 'окончательное удаление'],
  complete: ['finished the registration', 'завершение регистрации'],
  'change-password': ['changed the password', 'смена пароля'],
  'change-email': ['changed the e-mail', 'смена почты'],
  'restore-password': ['restored the password', 'восстановление пароля'],
  'cancel-delete': ['cancelled the deletion', 'отмена удаления'],
  'device-keys': ['made device keys', 'выпуск ключей плат'],
  'rotate-key': ['changed its key', 'смена ключа платы'],
  'integrity-check': ['file check', 'проверка файла'],
  export: ['exported', 'выгрузка в файл'],
  move: ['took over', 'переход к другому пользователю'],
  test: ['sent a test notification', 'проверка уведомлений'],
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
