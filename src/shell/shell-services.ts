import { createContext, useContext } from 'react'
import type { SessionUser } from '#schema/wire/wire.ts'
import type { Language } from '#schema/words.ts'

/** A call that needs no session; rejects with a problem whose message may be shown. */
export type PublicCall = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/** Push notifications of this browser for the signed-in user. */
export type PushControl = {
  /** Permission of the browser; `subscribe` reports changes. */
  permission: () => NotificationPermission | 'unsupported'
  subscribe: (listener: () => void) => () => void
  /** Requests the permission; reports the reason when it is denied. */
  allow: () => Promise<void>
  /** True when the banner was closed in this tab. */
  isHidden: () => boolean
  hide: () => void
  /** This browser as it is registered; undefined where its part cannot be loaded. */
  device: () => Promise<OwnDevice | undefined>
}

export type OwnDevice = {
  id: string | undefined
  /** True when notifications arrive with the console closed. */
  reachesClosed: boolean
}

/** Services of the composition root, for public pages and pages of a session. */
export type ShellServices = {
  call: PublicCall
  /** Opens a session, or returns the response of a required second step. */
  signIn: (credentials: { email: string; password: string }) => Promise<unknown>
  /** Opens the session in a response; false when it contains none. */
  enter: (answer: unknown) => boolean
  /** The signed-in user; undefined for a visitor, to whom public pages are open. */
  user: () => SessionUser | undefined
  /** Why the server ended this page's last session, or ''; undefined when it has not. */
  endReason: () => string | undefined
  /** User of that session. */
  formerUser: () => SessionUser | undefined
  /** Switches the language without a reload; rejects when its texts cannot be loaded. */
  changeLanguage: (language: Language) => Promise<void>
  /** Within a session only, of a person to whom notifications come. */
  push?: PushControl | undefined
}

const ShellContext = createContext<ShellServices | undefined>(undefined)
export const ShellProvider = ShellContext

/** The services of the composition root; throws outside the provider. */
export function useShell(): ShellServices {
  const services = useContext(ShellContext)
  if (!services) throw new Error('useShell: no ShellProvider above')
  return services
}
