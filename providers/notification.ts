import type { NotificationProvider } from '@refinedev/core'
import type { HttpProblem, Words } from './http-problem.ts'

export type Notice = {
  key: string
  kind: 'success' | 'error' | 'warning' | 'info'
  title: string
  text?: string | undefined
  durationS?: number | undefined
  action?: { label: string; onSelect: () => void } | undefined
}

/** Notification display; a known key replaces the earlier notice. The kit's implementation is injected. */
export type NoticeBoard = { open: (notice: Notice) => unknown; close: (key: string) => void }

/*
 * Failed calls are announced by the HTTP client only: it sees every response of 400 or above, also outside of Refine's hooks,
 * knows which 401 was retried and which ended the session, and announces each failure once (createProblemAnnouncer). Refine
 * would repeat it per hook and per mount, so its own error notices are dropped (createNotificationProvider), recognised by
 * their keys.
 */
const refineErrorKeys = /-notification$|^(login|useLogout|register|forgot-password|update-password)-error$/

/** Refine's notifications, without duplicates of failed calls. */
export function createNotificationProvider(board: NoticeBoard): NotificationProvider {
  let count = 0
  return {
    open: ({ key, message, description, type }) => {
      if (type === 'error' && key && refineErrorKeys.test(key)) return
      count += 1
      board.open({
        key: key ?? `notice-${count}`,
        kind: type === 'progress' ? 'info' : type,
        title: message,
        text: description,
      })
    },
    close: (key) => board.close(key),
  }
}

export type ProblemAnnouncerOptions = { board: NoticeBoard; words: Words; now?: () => number }

/** A failed query is retried after 1 and 2 s: a request sent within this time after its failure is such a retry. */
const retryGapMs = 3_000
const rememberedCalls = 100

/** Announces each failed call once; retries of a query count as its first failure. A write that succeeds at last takes its notices back. */
export function createProblemAnnouncer({ board, words, now = Date.now }: ProblemAnnouncerOptions) {
  /** By write, or by read and status: when it last failed, and the keys of its notices. */
  const failures = new Map<string, { atMs: number; keys: readonly string[] }>()
  let count = 0

  const announce = ({ call = '', code, message, startedAt = now(), statusCode }: HttpProblem): void => {
    count += 1
    const isRead = call.startsWith('GET ')
    // Without a network all calls fail at once: one notice for all.
    const key = code === 'network' ? 'problem-network' : `problem-${count}`
    const failed = isRead ? `${call} ${statusCode}` : call
    const last = failures.get(failed)
    // Re-inserted at the end, which keeps the map in order of age.
    failures.delete(failed)
    failures.set(failed, { atMs: now(), keys: isRead ? [] : [...(last?.keys ?? []), key] })
    const [oldest] = failures.keys()
    if (failures.size > rememberedCalls && oldest) failures.delete(oldest)
    const isRetry = isRead && last && startedAt - last.atMs <= retryGapMs
    if (!isRetry) board.open({ key, kind: 'error', title: words('errors.oops'), text: message })
  }
  const takeBack = (call: string): void => {
    for (const key of failures.get(call)?.keys ?? []) board.close(key)
    failures.delete(call)
  }
  return { announce, takeBack }
}
