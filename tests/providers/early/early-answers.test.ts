import axios, { type AxiosAdapter } from 'axios'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adapterWithEarlyAnswers } from '#providers/early/early-adapter.ts'
import { type EarlyCalls, firstAnswers } from '#providers/early/early-answers.ts'

const late = '/api/ess?_start=0&_end=25'
const answerOf = (rows: unknown, status = 200) => {
  const text = JSON.stringify(rows)
  const headers = { 'x-total-count': '1', date: 'Sun, 22 Nov 2026 00:00:00 GMT' }
  return { text, response: new Response(text, { status, headers }) }
}

/** A client whose calls would leave by `send`, in a page whose document has made some already. */
function client(answers: EarlyCalls['answers'], { startedAt = Date.now() }: { startedAt?: number } = {}) {
  vi.stubGlobal('window', { earlyCalls: { token: 'a', startedAt, answers } satisfies EarlyCalls })
  const send = vi.fn<AxiosAdapter>(async (config) => ({ data: '["sent"]', status: 200, statusText: '', headers: {}, config }))
  const http = axios.create({ baseURL: '/api', adapter: adapterWithEarlyAnswers(send) })
  return { send, get: (sentToken = 'a') => http.get<unknown>('ess?_start=0&_end=25', { sentToken }) }
}

afterEach(() => vi.unstubAllGlobals())

describe('an answer that the document has asked for', () => {
  it('is taken by the call to the same address, once', async () => {
    const { send, get } = client({ [late]: Promise.resolve(answerOf(['early'])) })
    const first = await get()
    expect([first.data, first.headers['x-total-count'], first.headers.date]).toEqual([['early'], '1', undefined])
    expect(send).not.toHaveBeenCalled()
    expect((await get()).data).toEqual(['sent'])
  })

  it('is none of the call of another session', async () => {
    const { get } = client({ [late]: Promise.resolve(answerOf(['early'])) })
    expect((await get('b')).data).toEqual(['sent'])
  })

  it('is too old after ten seconds', async () => {
    const { get } = client({ [late]: Promise.resolve(answerOf(['early'])) }, { startedAt: Date.now() - 10_001 })
    expect((await get()).data).toEqual(['sent'])
  })

  it('fails the call when it is a refusal, and is asked for again when there was no network', async () => {
    const refused = client({ [late]: Promise.resolve(answerOf({ code: 'forbidden' }, 403)) })
    await expect(refused.get()).rejects.toMatchObject({ response: { status: 403, data: { code: 'forbidden' } } })
    expect(refused.send).not.toHaveBeenCalled()
    const lost = client({ [late]: Promise.reject(new TypeError('Failed to fetch')) })
    expect((await lost.get()).data).toEqual(['sent'])
  })
})

/** The session of a page whose document has made some calls with token `a`. */
function page(answers: EarlyCalls['answers'], { token = 'a', conflict = false, startedAt = Date.now() } = {}) {
  const calls: EarlyCalls = { token: 'a', startedAt, answers }
  vi.stubGlobal('window', { earlyCalls: calls })
  const user = { id: 'u', email: 'u@example.com', role: 'admin' }
  const session = { user, accessToken: token, accessTokenExpired: 0 }
  const first = firstAnswers({ getSnapshot: () => ({ session, conflict, expired: false }) as never })
  return { calls, first: () => first('ess?_start=0&_end=25') }
}

describe('a first answer', () => {
  it("is data and headers of the document's call, once", async () => {
    const { calls, first } = page({ [late]: Promise.resolve(answerOf(['early'])) })
    const answer = await first()
    expect([answer?.data, answer?.headers.get('x-total-count')]).toEqual([['early'], '1'])
    expect(calls.answers).toEqual({})
    expect(await first()).toBeUndefined()
  })

  it.each([
    ['of another session', { token: 'b' }],
    ['of a session in conflict', { conflict: true }],
    ['of more than ten seconds ago', { startedAt: Date.now() - 10_001 }],
  ])('is none %s', async (_name, options) => {
    const { first } = page({ [late]: Promise.resolve(answerOf(['early'])) }, options)
    expect(await first()).toBeUndefined()
  })

  it.each([
    ['a refusal', () => Promise.resolve(answerOf({ code: 'forbidden' }, 403))],
    ['a page of a proxy', () => Promise.resolve({ text: '<html>', response: new Response('<html>') })],
    ['a line that was cut', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('leaves %s to the client, which tells what is wrong', async (_name, answer) => {
    const { calls, first } = page({ [late]: answer() })
    expect(await first()).toBeUndefined()
    expect(Object.keys(calls.answers)).toEqual([late])
  })

  it('is handed to one of two that ask at the same time', async () => {
    const { first } = page({ [late]: Promise.resolve(answerOf(['early'])) })
    expect((await Promise.all([first(), first()])).filter(Boolean)).toHaveLength(1)
  })
})
