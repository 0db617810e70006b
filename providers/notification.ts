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

/** Announces each failed call once; retries of a query count as its first failure. What a write did at last takes its notices back. */
export function createProblemAnnouncer({ board, words, now = Date.now }: ProblemAnnouncerOptions) {
  const lastFailures = new Map<string, number>()
  /** Keys of the notices by failed write. */
  const refusedWrites = new Map<string, string[]>()
  let count = 0

  const isRetry = (call: string, startedAt: number) => {
    const last = lastFailures.get(call)
    // Re-inserted at the end, which keeps the map in order of age.
    lastFailures.delete(call)
    lastFailures.set(call, now())
    const [oldest] = lastFailures.keys()
    if (lastFailures.size > rememberedCalls && oldest) lastFailures.delete(oldest)
    return last !== undefined && startedAt - last <= retryGapMs
  }

  const noteRefusal = (call: string, key: string) => {
    refusedWrites.set(call, [...(refusedWrites.get(call) ?? []), key])
    const [oldest] = refusedWrites.keys()
    if (refusedWrites.size > rememberedCalls && oldest) refusedWrites.delete(oldest)
  }
  const announce = (problem: HttpProblem): void => {
    const call = problem.call ?? ''
    const isRead = call.startsWith('GET ')
    if (isRead && isRetry(`${call} ${problem.statusCode}`, problem.startedAt ?? now())) return
    count += 1
    // Without a network all calls fail at once: one notice for all.
    const key = problem.code === 'network' ? 'problem-network' : `problem-${count}`
    if (!isRead) noteRefusal(call, key)
    board.open({ key, kind: 'error', title: words('errors.oops'), text: problem.message })
  }
  const takeBack = (call: string): void => {
    for (const key of refusedWrites.get(call) ?? []) board.close(key)
    refusedWrites.delete(call)
  }
  return { announce, takeBack }
}
