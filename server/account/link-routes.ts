import { z } from 'zod'
import type { Fault } from '#schema/faults.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { Api } from '#server/base/context.ts'
import { invalid } from '#server/base/problems.ts'
import { asProblem } from '#server/engine/records/database-problems.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { acceptInvitation } from './invitation.ts'
import { openAccountInvitation } from './invitation-account.ts'
import { followLink } from './link-calls.ts'
import { notifyAdmins } from './restore-mail.ts'
import { inputLabel } from './session/input-label.ts'
import { passwordFaults, passwordsOf } from './session/password.ts'
import { signOutEverywhere } from './session/sign-out.ts'
import { replacePassword } from './user-password.ts'
import { changePerson, type Person, setPassword } from './user-store.ts'

const token = z.string().min(1).max(200)
const password = z.string().min(1).max(500)
const name = valueSchema({ type: 'text', label: ['Name', 'Имя'], maxLength: 64 }).transform(String)
const phone = valueSchema({ type: 'phone', label: ['Phone', 'Телефон'] }).transform(String)
const answer = z.object({ email: z.string() })
const settings = (summary: string) => ({ summary, tags: ['links'], response: { 200: answer } })
const access = { access: 'public', inputLabel } as const

const isOpen = ({ lockedAt, deletedAt }: Person) => !lockedAt && !deletedAt

async function hashed(tools: RecordTools, chosen: string, email: string): Promise<string> {
  const faults = passwordFaults(chosen, email)
  if (faults.length > 0) throw invalid(faults)
  return passwordsOf(tools.context).hash(chosen)
}

type Named = { firstName: string; lastName: string; phone?: string | null | undefined }

/** Completes an invited account, and closes its open invitation. */
async function finishAccount(work: Work, person: Person, { hash, named }: { hash: string; named: Named }): Promise<void> {
  await setPassword(work.db, { userId: person.id, hash, now: work.now })
  const { firstName, lastName, phone: number } = named
  await changePerson(work, {
    id: person.id,
    by: person.id,
    set: { firstName, lastName, ...(number === undefined ? {} : { phone: number }) },
  })
  await work.audit({ action: 'complete', entityType: 'user', entityId: person.id, code: person.email })
}

function registerRoute(api: Api, tools: RecordTools): void {
  const body = z.strictObject({ token, password, firstName: name, lastName: name, phone: phone.nullish() })
  api.put(
    '/user/register/complete',
    { config: access, schema: { ...settings('Complete an account that an admin created'), body } },
    async (request) => {
      const { firstName, lastName, phone: number } = request.body
      const { email } = await followLink(tools, request, {
        token: request.body.token,
        kinds: ['ACCOUNT'],
        serves: (person) => isOpen(person) && !person.isComplete,
        prepare: (person) => hashed(tools, request.body.password, person.email),
        async complete({ person, link, prepared, work }) {
          await finishAccount(work, person, { hash: prepared, named: { firstName, lastName, phone: number } })
          await acceptInvitation(link.invitationId ?? '', work)
        },
      })
      return { email }
    },
  )
}

type Acceptance = { password?: string | undefined; firstName?: string | undefined; lastName?: string | undefined }

/** A new account needs a password and a name; on a complete one the link may change neither. */
function acceptanceFaults(person: Person, given: Acceptance): Fault[] {
  const keys = ['password', 'firstName', 'lastName'] as const
  if (person.isComplete)
    return keys.flatMap((key) => (given[key] === undefined ? [] : [{ path: key, code: 'read-only', params: { key } }]))
  return keys.flatMap((key) => (given[key] === undefined ? [{ path: key, code: 'required' }] : []))
}

function invitationRoute(api: Api, tools: RecordTools): void {
  const body = z.strictObject({ token, password: password.optional(), firstName: name.optional(), lastName: name.optional() })
  api.put(
    '/user/invitation/complete',
    { config: access, schema: { ...settings('Accept an invitation as a guest or service engineer'), body } },
    async (request) => {
      const { token: secret, ...given } = request.body
      const { email } = await followLink(tools, request, {
        token: secret,
        kinds: ['GUEST', 'SERVICE_ENGINEER'],
        serves: isOpen,
        async prepare(person) {
          const faults = acceptanceFaults(person, given)
          if (faults.length > 0) throw invalid(faults)
          return given.password === undefined ? undefined : hashed(tools, given.password, person.email)
        },
        async complete({ person, link, prepared, work }) {
          const { firstName, lastName } = given
          if (prepared && firstName !== undefined && lastName !== undefined) {
            await finishAccount(work, person, { hash: prepared, named: { firstName, lastName } })
            const account = await openAccountInvitation(work.db, person.id)
            if (account) await acceptInvitation(account, work)
          }
          await acceptInvitation(link.invitationId ?? '', work)
        },
      })
      return { email }
    },
  )
}

function changeEmailRoute(api: Api, tools: RecordTools): void {
  api.put(
    '/user/change-email/complete',
    { config: access, schema: { ...settings('Confirm a new e-mail address'), body: z.strictObject({ token }) } },
    async (request) => {
      let changed = ''
      await followLink(tools, request, {
        token: request.body.token,
        kinds: ['EMAIL_CHANGE'],
        serves: isOpen,
        prepare: async () => undefined,
        async complete({ person, link, work }) {
          changed = link.email ?? ''
          const definition = work.definitions.get('user')
          await changePerson(work, { id: person.id, by: person.id, set: { email: changed, pendingEmail: null } }).catch(
            (error: unknown) => {
              throw asProblem(error, definition ? [definition] : [])
            },
          )
          await acceptInvitation(link.invitationId ?? '', work)
          await signOutEverywhere(work, person.id, 'e-mail changed')
          const audited = { before: { email: person.email }, after: { email: changed } }
          await work.audit({ action: 'change-email', entityType: 'user', entityId: person.id, code: changed, ...audited })
        },
      })
      return { email: changed }
    },
  )
}

function restoreRoute(api: Api, tools: RecordTools): void {
  api.put(
    '/user/restore-password/complete',
    { config: access, schema: { ...settings('Choose a new password'), body: z.strictObject({ token, password }) } },
    async (request) => {
      const { email } = await followLink(tools, request, {
        token: request.body.token,
        kinds: ['RESTORE'],
        serves: (person) => isOpen(person) && person.isComplete,
        prepare: (person) => hashed(tools, request.body.password, person.email),
        async complete({ person, prepared, work }) {
          await replacePassword(work, person, prepared)
        },
      })
      return { email }
    },
  )
}

function cancelDeleteRoute(api: Api, tools: RecordTools): void {
  api.put(
    '/user/cancel-delete',
    { config: access, schema: { ...settings('Bring the own deleted account back'), body: z.strictObject({ token }) } },
    async (request) => {
      const { email } = await followLink(tools, request, {
        token: request.body.token,
        kinds: ['CANCEL_DELETE'],
        serves: ({ deletedAt, role }) => !!deletedAt && role === 'client',
        prepare: async () => undefined,
        async complete({ person, work }) {
          await changePerson(work, { id: person.id, by: person.id, set: { deletedAt: null, purgeAt: null } })
          await notifyAdmins(work, person)
          await work.audit({ action: 'cancel-delete', entityType: 'user', entityId: person.id, code: person.email })
        },
      })
      return { email }
    },
  )
}

/** Routes authorised by the token of a mailed link alone. */
export function linkRoutes(api: Api, tools: RecordTools): void {
  registerRoute(api, tools)
  invitationRoute(api, tools)
  changeEmailRoute(api, tools)
  restoreRoute(api, tools)
  cancelDeleteRoute(api, tools)
}
