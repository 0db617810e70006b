import { createContext, useContext } from 'react'
import type { Language } from '#schema/words.ts'

/** A call that needs no session; rejects with a problem whose message may be shown. */
export type PublicCall = (method: 'POST' | 'PUT', path: string, body: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Notifications of this browser, for whoever is signed in. */
export type PushControl = {
  /** What the browser says; changes are told to `subscribe`. */
  permission: () => NotificationPermission | 'unsupported'
  subscribe: (listener: () => void) => () => void
  /** Asks for the permission; says why when it can not be had. */
  allow: () => Promise<void>
  /** Whether the banner was closed in this tab. */
  isHidden: () => boolean
  hide: () => void
  /** This browser among the own devices. */
  deviceId: () => string | undefined
  /** Whether notifications arrive while no page of the console is open. */
  reachesClosed: boolean
}

/** What the composition root does for pages inside and outside a session. */
export type ShellServices = {
  call: PublicCall
  signIn: (credentials: { email: string; password: string }) => Promise<void>
  /** Switches the words without a reload; rejects when they can not be loaded. */
  changeLanguage: (language: Language) => Promise<void>
  /** Within a session only. */
  push?: PushControl
}

const ShellContext = createContext<ShellServices | undefined>(undefined)
export const ShellProvider = ShellContext

export function useShell(): ShellServices {
  const services = useContext(ShellContext)
  if (!services) throw new Error('useShell: no ShellProvider above')
  return services
}
