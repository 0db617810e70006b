import { ApiUser } from './api-user.ts'
import { newUser } from './records.ts'

type Outbox = { mails: { id: string; to: string }[] }

const waitMs = 10_000

async function newestLink(admin: ApiUser, email: string, path: string): Promise<string | undefined> {
  const { mails } = await admin.get<Outbox>('outbox')
  const links = await Promise.all(
    mails.filter(({ to }) => to === email).map(({ id }) => admin.get<{ link: string | null }>(`outbox/${id}`)),
  )
  const found = links.map(({ link }) => (link ? new URL(link) : undefined)).find((url) => url?.pathname === path)
  return found && found.pathname + found.hash
}

/** The address of a page in the newest letter to a recipient, as the browser opens it. Letters go out after the answer. */
export async function linkTo(admin: ApiUser, email: string, path: string): Promise<string> {
  const end = Date.now() + waitMs
  while (Date.now() < end) {
    const link = await newestLink(admin, email, path)
    if (link) return link
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no letter to ${email} leads to ${path}`)
}

export const accountPassword = 'quiet-river-stones-7'

export type NewAccount = { id: string; email: string; user: ApiUser }

/** A new person for a test that changes accounts: registered by the letter, and signed in. */
export async function newAccount(url: string, admin: ApiUser, role = 'moderator'): Promise<NewAccount> {
  const { id, email } = await newUser(admin, role)
  const address = String(email)
  const token = (await linkTo(admin, address, '/register/complete')).split('#token=')[1]
  const body = { token, password: accountPassword, firstName: 'Petra', lastName: 'Person' }
  await admin.send('PUT', 'user/register/complete', body)
  return { id, email: address, user: await ApiUser.signIn(url, address, accountPassword) }
}
