import { createContext, useContext } from 'react'
import type { SessionUser } from '#schema/wire/wire.ts'

/** Who is signed in, and how to end it. */
export type Account = {
  user: SessionUser
  signOut: () => Promise<void>
  /** What was changed in the profile and is saved: it counts at once, in every tab. */
  amend: (changed: Partial<Pick<SessionUser, 'firstName' | 'lastName' | 'timezone'>>) => void
  /** The server has ended every session of this person by itself: only this browser is left to forget it. */
  forget: () => void
}

const AccountContext = createContext<Account | undefined>(undefined)
export const AccountProvider = AccountContext

export function useAccount(): Account {
  const account = useContext(AccountContext)
  if (!account) throw new Error('useAccount: no AccountProvider above')
  return account
}

/** The name of a person, or the e-mail where there is none. */
export const nameOf = ({ firstName, lastName, email }: SessionUser): string => `${firstName} ${lastName}`.trim() || email
