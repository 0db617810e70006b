import { user } from '#resources/user.ts'
import type { Label } from '#schema/words.ts'

const own: Readonly<Record<string, Label>> = {
  password: ['Password', 'Пароль'],
  newPassword: ['New password', 'Новый пароль'],
  code: ['Code', 'Код'],
}
const byPath: ReadonlyMap<string, Label> = new Map([
  ...Object.entries(user.fields).map(([name, { label }]): [string, Label] => [name, label]),
  ...Object.entries(own),
])

/** Display name of what a person types about the own account; undefined for any other path. */
export const inputLabel = (path: string): Label | undefined => byPath.get(path)
