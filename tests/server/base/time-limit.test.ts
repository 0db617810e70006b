import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { orWhenLate, withTimeLimit } from '#server/base/time-limit.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Ends by its signal only, with the name of the reason. */
const untilEnded = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    const tell = () => resolve(Object(signal.reason).name)
    if (signal.aborted) tell()
    else signal.addEventListener('abort', tell)
  })

describe('a time limit', () => {
  it('ends the task though memory is collected meanwhile', async () => {
    const owner = new AbortController()
    const ended = withTimeLimit({ signal: owner.signal, timeoutMs: 150 }, untilEnded)
    for (let times = 0; times < 5; times += 1) {
      await sleep(5)
      collect()
    }
    expect(await ended).toBe('TimeoutError')
  })

  it('ends it with the signal that was given, before or meanwhile', async () => {
    const owner = new AbortController()
    const ended = withTimeLimit({ signal: owner.signal, timeoutMs: 60_000 }, untilEnded)
    owner.abort()
    expect(await ended).toBe('AbortError')
    expect(await withTimeLimit({ signal: owner.signal, timeoutMs: 60_000 }, untilEnded)).toBe('AbortError')
  })

  it('leaves nothing behind, whether the task answers or fails', async () => {
    const { signal } = new AbortController()
    expect(await withTimeLimit({ signal, timeoutMs: 60_000 }, async () => 'done')).toBe('done')
    const failing = withTimeLimit({ signal, timeoutMs: 60_000 }, () => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a value that may be late', () => {
  it('is answered in time, and what stands for it else', async () => {
    expect(await orWhenLate(sleep(5, 'value'), 60_000, 'late')).toBe('value')
    expect(await orWhenLate(sleep(60, 'value'), 5, 'late')).toBe('late')
  })

  it('fails as its load does', async () => {
    await expect(orWhenLate(Promise.reject(new Error('refused')), 60_000, 'late')).rejects.toThrow('refused')
  })
})
