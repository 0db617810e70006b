import { createContext, useContext } from 'react'
import type { SessionUser } from '#schema/wire/wire.ts'

/** The signed-in user, and sign-out. */
export type Account = {
  user: SessionUser
  signOut: () => Promise<void>
  /** Applies saved profile changes at once in every tab. */
  amend: (changed: Partial<Pick<SessionUser, 'firstName' | 'lastName' | 'timezone'>>) => void
  /** The server has ended all sessions of this user: deletes the local one. */
  forget: () => void
}

const AccountContext = createContext<Account | undefined>(undefined)
export const AccountProvider = AccountContext

/** The signed-in user and the calls that change the session; throws outside the provider. */
export function useAccount(): Account {
  const account = useContext(AccountContext)
  if (!account) throw new Error('useAccount: no AccountProvider above')
  return account
}

/** The name of a person, or the e-mail where there is none. */
export const nameOf = ({ firstName, lastName, email }: SessionUser): string => `${firstName} ${lastName}`.trim() || email
