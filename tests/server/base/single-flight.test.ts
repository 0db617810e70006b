import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SingleFlight } from '#server/base/single-flight.ts'

/** Work that ends when it is told to, and tells which run it was. */
function counted() {
  const runs: { end: (value: string) => void; fail: (reason: Error) => void }[] = []
  const work = () => new Promise<string>((end, fail) => runs.push({ end, fail }))
  return { runs, work }
}

describe('work that many ask for at the same moment', () => {
  it('is done for the first at once, and once more for all who come while it runs', async () => {
    const { runs, work } = counted()
    const together = new SingleFlight<string>()
    const asked = [1, 2, 3, 4].map(() => together.of(work))
    expect(runs).toHaveLength(1)
    runs[0]?.end('before')
    await turn()
    expect(runs).toHaveLength(2)
    runs[1]?.end('after')
    expect(await Promise.all(asked)).toEqual(['before', 'after', 'after', 'after'])
  })

  it('never tells anybody of a time before he asked', async () => {
    const { runs, work } = counted()
    const together = new SingleFlight<string>()
    const [first, second] = [together.of(work), together.of(work)]
    runs[0]?.end('one')
    await turn()
    const third = together.of(work)
    runs[1]?.end('two')
    await turn()
    runs[2]?.end('three')
    expect(await Promise.all([first, second, third])).toEqual(['one', 'two', 'three'])
  })

  it('is started again by anyone who comes when nothing runs', async () => {
    const { runs, work } = counted()
    const together = new SingleFlight<string>()
    for (const value of ['one', 'two']) {
      const asked = together.of(work)
      runs.at(-1)?.end(value)
      expect(await asked).toBe(value)
      await turn()
    }
    expect(runs).toHaveLength(2)
  })

  it('fails for those who waited for it, and is done for those who come later', async () => {
    const { runs, work } = counted()
    const together = new SingleFlight<string>()
    const failing = together.of(work)
    const later = together.of(work)
    runs[0]?.fail(new Error('away'))
    await expect(failing).rejects.toThrow('away')
    await turn()
    runs[1]?.end('here')
    expect(await later).toBe('here')
  })
})
