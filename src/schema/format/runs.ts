/** Groups consecutive values of an order: for Mon to Sun, `Mon, Tue, Wed, Sat` is `[Mon, Tue, Wed], [Sat]`. */
export function runsOf(order: readonly string[], values: readonly string[]): string[][] {
  const runs: string[][] = []
  for (const [index, value] of order.entries()) {
    if (!values.includes(value)) continue
    const before = order[index - 1]
    const last = runs.at(-1)
    if (last && before !== undefined && last.at(-1) === before) last.push(value)
    else runs.push([value])
  }
  return runs
}

/** The same as text: three or more consecutive values become a range, `Mon–Wed, Sat`. */
export const runsText = (order: readonly string[], values: readonly string[], word: (value: string) => string): string =>
  runsOf(order, values)
    .map((run) => (run.length > 2 ? `${word(run[0] ?? '')}–${word(run.at(-1) ?? '')}` : run.map(word).join(', ')))
    .join(', ')
