import type { Role } from '#schema/roles.ts'
import type { Answer, PeopleServer } from './people-server.ts'
import { SoftwarePasskey } from './software-passkey.ts'

export type Options = Record<string, unknown>
type Answering = (options: Options) => object

const optionsIn = ({ body }: Answer): Options => (body.options ?? body) as Options

/** Adds a passkey in the profile of a session. */
export async function addPasskey(
  server: PeopleServer,
  token: string,
  passkey: SoftwarePasskey,
  { name, answer = (options: Options) => passkey.create(options) }: { name?: string; answer?: Answering } = {},
): Promise<Answer> {
  const begun = await server.call('POST', 'auth/factor/passkey', { token })
  if (begun.status !== 200) return begun
  const body = { ...(name !== undefined && { name }), response: answer(optionsIn(begun)) }
  return server.call('PUT', 'auth/factor/passkey', { token, body })
}

export type PasskeyHolder = { id: string; email: string; token: string; passkey: SoftwarePasskey; recoveryCodes: string[] }

/** A person with a passkey and no other second factor. */
export async function addHolder(server: PeopleServer, email: string, role: Role = 'client'): Promise<PasskeyHolder> {
  const { id, token } = await server.signedIn({ email, role })
  const passkey = new SoftwarePasskey()
  const done = await addPasskey(server, token, passkey)
  if (done.status !== 200) throw new Error(`no passkey: ${done.text}`)
  return { id, email, token, passkey, recoveryCodes: done.body.recoveryCodes as string[] }
}

/** Signs in by a passkey alone. */
export async function enterBy(server: PeopleServer, answer: Answering, ip?: string): Promise<Answer> {
  const from = ip ? { ip } : {}
  const begun = await server.call('POST', 'auth/passkey', from)
  if (begun.status !== 200) return begun
  const body = { browser: begun.body.browser, response: answer(optionsIn(begun)) }
  return server.call('PUT', 'auth/passkey', { ...from, body })
}

/** Takes the second step of a sign-in by a passkey. */
export async function stepBy(
  server: PeopleServer,
  challenge: string,
  answer: Answering,
  path = 'auth/challenge/passkey',
): Promise<Answer> {
  const begun = await server.call('POST', path, { body: { challenge } })
  if (begun.status !== 200) return begun
  return server.call('PUT', path, { body: { challenge, response: answer(optionsIn(begun)) } })
}

/** Confirms the owner of a session by a passkey. */
export async function confirmBy(server: PeopleServer, token: string, answer: Answering): Promise<Answer> {
  const begun = await server.call('POST', 'auth/confirm/passkey', { token })
  if (begun.status !== 200) return begun
  return server.call('PUT', 'auth/confirm/passkey', { token, body: { response: answer(optionsIn(begun)) } })
}
