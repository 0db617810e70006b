import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'

/** What was done to a record, where no action of a definition says it. */
const deeds: Readonly<Record<string, Label>> = {
  create: ['created', 'создание'],
  update: ['changed', 'изменение'],
  delete: ['deleted', 'удаление'],
  invite: ['invited', 'приглашение отправлено'],
  accept: ['accepted', 'приглашение принято'],
  configure: ['configured', 'настройка'],
  'end-debug': ['ended DEBUG', 'завершение DEBUG'],
  import: ['imported', 'загрузка из файла'],
  'undo-import': ['undid an import', 'отмена загрузки'],
  purge: ['erased', 'окончательное удаление'],
  complete: ['finished the registration', 'завершение регистрации'],
  'change-password': ['changed the password', 'смена пароля'],
  'change-email': ['changed the e-mail', 'смена почты'],
  'restore-password': ['restored the password', 'восстановление пароля'],
  'cancel-delete': ['cancelled the deletion', 'отмена удаления'],
  'integrity-check': ['file check', 'проверка файла'],
  export: ['exported', 'выгрузка в файл'],
}

/** An entry of the audit log in words; undefined for a deed that has none. */
export const deedLabel = (resource: AnyResource | undefined, action: string): Label | undefined =>
  resource?.actions?.[action]?.label ?? deeds[action]
