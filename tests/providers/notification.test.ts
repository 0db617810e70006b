import { beforeEach, describe, expect, it } from 'vitest'
import { HttpProblem, type HttpProblemFacts } from '#providers/http-problem.ts'
import { createNotificationProvider, createProblemAnnouncer, type Notice } from '#providers/notification.ts'

let shown: Notice[]
let nowMs: number
const board = {
  open: (notice: Notice) => shown.push(notice),
  close(key: string) {
    shown = shown.filter((notice) => notice.key !== key)
  },
}

beforeEach(() => {
  shown = []
  nowMs = 1_000_000
})

const problem = (facts: Partial<HttpProblemFacts> = {}) =>
  new HttpProblem({ message: 'no', statusCode: 500, code: 'x', call: 'GET ess', startedAt: nowMs, ...facts })

describe('a failed call', () => {
  const problems = () => createProblemAnnouncer({ board, words: (key) => key, now: () => nowMs })

  it('gives one notice with the server’s text', () => {
    problems().announce(problem({ message: 'Code is taken; Name is too long' }))
    expect(shown).toMatchObject([{ kind: 'error', title: 'errors.oops', text: 'Code is taken; Name is too long' }])
  })

  it('gives one notice with all retries of its query, however slow they are', () => {
    const { announce } = problems()
    announce(problem())
    for (const pauseMs of [1_000, 2_000]) {
      const startedAt = nowMs + pauseMs
      nowMs = startedAt + 30_000
      announce(problem({ startedAt }))
    }
    expect(shown).toHaveLength(1)
    nowMs += 5_000
    announce(problem())
    expect(shown).toHaveLength(2)
  })

  it('gives its own notice each time when it writes', () => {
    const { announce } = problems()
    announce(problem({ call: 'POST ess' }))
    announce(problem({ call: 'POST ess' }))
    expect(new Set(shown.map(({ key }) => key)).size).toBe(2)
  })

  it('takes its notices back when the write succeeds at last, and leaves those of others', () => {
    const { announce, takeBack } = problems()
    for (const call of ['POST ess', 'POST ess', 'POST user', 'GET ess']) announce(problem({ call, message: call }))
    takeBack('POST ess')
    takeBack('GET ess')
    expect(shown.map(({ text }) => text)).toEqual(['POST user', 'GET ess'])
  })

  it('takes the place of the earlier notice when there is no network at all', () => {
    const { announce } = problems()
    announce(problem({ code: 'network', statusCode: 0, call: 'GET ess' }))
    announce(problem({ code: 'network', statusCode: 0, call: 'GET user' }))
    expect(new Set(shown.map(({ key }) => key)).size).toBe(1)
  })
})

describe('Refine', () => {
  it.each([
    'ess-useList-notification',
    '1-ess-getOne-notification',
    'create-ess-notification',
    'login-error',
    'useLogout-error',
  ])('does not say a second time that a call has failed (%s)', (key) => {
    createNotificationProvider(board).open({ key, message: 'Error', type: 'error' })
    expect(shown).toEqual([])
  })

  it('still says what went well, and what a screen wants to say', () => {
    const provider = createNotificationProvider(board)
    provider.open({ key: 'create-ess-notification', message: 'Created', type: 'success', description: 'Successful' })
    provider.open({ message: 'The file is empty', type: 'error' })
    expect(shown).toMatchObject([
      { kind: 'success', title: 'Created', text: 'Successful' },
      { kind: 'error', title: 'The file is empty' },
    ])
  })
})
