import { forgiveAccount } from '#server/base/rate-limits.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { forgetPushDevicesOf } from '#server/notify/device-store.ts'
import { forgetDevicesOf } from './session/sign-in-device.ts'
import { signOutEverywhere } from './session/sign-out.ts'
import { changePerson, nameOf, type Person, setPassword } from './user-store.ts'

/**
 * Replaces a user's password: ends all sessions with what they have begun, and delays after failures. Forgets known devices and
 * those that pushes go to. The account is locked before, so that no session registers another one meanwhile.
 */
export async function replacePassword(work: Work, person: Person, hash: string): Promise<void> {
  const { db, now } = work
  await setPassword(db, { userId: person.id, hash, now })
  await forgiveAccount(db, person.email)
  await forgetDevicesOf(db, person.id)
  await forgetPushDevicesOf(db, person.id)
  await changePerson(work, { id: person.id, by: person.id, set: { failedLoginCount: 0 } })
  await signOutEverywhere(work, person.id, 'password changed')
  await work.audit({ action: 'change-password', entityType: 'user', entityId: person.id, code: person.email })
  const language = person.language ?? work.language
  work.mail({ to: person.email, language, template: 'password-changed', values: { name: nameOf(person) } })
}
