import type { ConsoleI18n } from '#providers/i18n.ts'
import { createPublicCall } from '#providers/public-call.ts'
import { usableStorage } from '#providers/session/browser-session.ts'
import { readSession } from '#providers/session/session-record.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { signInDevice } from '#providers/session/sign-in-device.ts'
import type { ConsoleHistory } from '#shell/history.ts'
import type { ShellServices } from '#shell/shell-services.ts'
import type { startBackground } from './background.ts'

type Foundation = {
  session: SessionStore
  i18n: ConsoleI18n
  history: ConsoleHistory
  /** True while a reload would lose input. */
  isDirty: () => boolean
  /** Fetches the code of what runs beside the screens of a session; without it nothing does. */
  loadBackground?: () => Promise<{ startBackground: typeof startBackground }>
}

/** Services that exist once per page load, inside and outside of a session. */
export type Services = Foundation & { shell: ShellServices }

export function createServices(foundation: Foundation): Services {
  const { i18n, session } = foundation
  const call = createPublicCall({
    words: i18n.words,
    language: i18n.language,
    device: () => signInDevice(usableStorage(() => localStorage)),
  })
  const enter = (answer: unknown) => {
    const token = readSession(answer)
    if (token) session.login(token)
    return token !== null
  }
  const shell: ShellServices = {
    call,
    changeLanguage: i18n.changeLanguage,
    endReason: () => session.endReason,
    user: () => session.getSnapshot().session?.user,
    formerUser: () => session.formerUser,
    signIn: async (credentials) => {
      const answer = await call('POST', 'auth/login', credentials)
      if (enter(answer)) return undefined
      if (!answer) throw new Error(i18n.words('errors.unreadable'))
      return answer
    },
    enter,
  }
  return { ...foundation, shell }
}
