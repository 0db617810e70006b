import { afterEach, expect, vi } from 'vitest'

/** The test DOM does not know the element that browsers have had since 2023. */
const isOurs = (args: readonly unknown[]) =>
  !(String(args[0]).startsWith('The tag <%s> is unrecognized') && args[1] === 'search')

/** From here on a test fails when the console is told of an error or a warning. */
export function expectQuietConsole(): void {
  const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  afterEach(() => {
    const told = spies.flatMap((spy) => spy.mock.calls).filter(isOurs)
    for (const spy of spies) spy.mockClear()
    expect(told).toEqual([])
  })
}
