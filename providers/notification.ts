import type { NotificationProvider } from '@refinedev/core'
import type { HttpProblem, Words } from './http-problem.ts'

export type Notice = {
  key: string
  kind: 'success' | 'error' | 'info'
  title: string
  text?: string | undefined
  durationS?: number | undefined
  action?: { label: string; onSelect: () => void } | undefined
}

/** Where notices are shown; one with a known key takes the place of the earlier one. The kit's façade is given from outside. */
export type NoticeBoard = { open: (notice: Notice) => unknown; close: (key: string) => void }

/*
 * Who says that a call has failed: the http client, and nobody else. It sees every answer of 400 or more, also those of calls
 * that no hook of Refine makes, it knows which 401 was repeated and which one ended the session, and it tells each failure once
 * (createProblemAnnouncer). Refine would say it a second time, once per hook and again whenever a screen with a failed query is
 * mounted: its own error notices are dropped (createNotificationProvider), known by their keys, because it gives no other mark.
 */
const refineErrorKeys = /-notification$|^(login|useLogout|register|forgot-password|update-password)-error$/

/** Refine's notices on the board, without its doubles of failed calls. */
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

/** A failed query is asked again after 1 and 2 s: a read sent within this time after its failure is such a retry. */
const retryGapMs = 3_000
const rememberedCalls = 100

/** One 'Oops! Error' for each failed call; the retries of a query belong to its first failure. */
export function createProblemAnnouncer({ board, words, now = Date.now }: ProblemAnnouncerOptions) {
  const lastFailures = new Map<string, number>()
  let count = 0

  const isRetry = (call: string, startedAt: number) => {
    const last = lastFailures.get(call)
    // Written anew at the end, so that the oldest stands first.
    lastFailures.delete(call)
    lastFailures.set(call, now())
    const [oldest] = lastFailures.keys()
    if (lastFailures.size > rememberedCalls && oldest) lastFailures.delete(oldest)
    return last !== undefined && startedAt - last <= retryGapMs
  }

  return (problem: HttpProblem): void => {
    const call = problem.call ?? ''
    const isRead = call.startsWith('GET ')
    if (isRead && isRetry(`${call} ${problem.statusCode}`, problem.startedAt ?? now())) return
    count += 1
    // Without a network everything fails at once: that is one thing to say.
    const key = problem.code === 'network' ? 'problem-network' : `problem-${count}`
    board.open({ key, kind: 'error', title: words('errors.oops'), text: problem.message })
  }
}
