/** Outcome of a run: names of definitions whose checks failed, and lines `name: reason` of two kinds. */
export type Outcome = {
  names: readonly string[]
  failed: readonly string[]
  leftOut: readonly string[]
  unmade: readonly string[]
}

const nameOf = (line: string) => line.split(':')[0] ?? line

/** The last lines of a run, and whether all that it tried held. */
export function verdictOf({ names, failed, leftOut, unmade }: Outcome): { lines: string[]; isSound: boolean } {
  const bare = unmade.filter((line) => !failed.includes(nameOf(line)))
  const whole = names.filter((name) => !failed.includes(name) && !bare.some((line) => nameOf(line) === name))
  const inPart = whole.filter((name) => leftOut.some((line) => nameOf(line) === name))
  const proven = whole.filter((name) => !inPart.includes(name))
  const lines = [
    ...(leftOut.length > 0 ? ['Left out, and why:', ...leftOut] : ['Nothing was left out.']),
    ...(proven.length > 0 ? [`Proven: ${proven.join(', ')}`] : []),
    ...(inPart.length > 0 ? [`Proven except for what is left out above: ${inPart.join(', ')}`] : []),
    ...failed.map((name) => `Not proven: ${name}: checks failed, see × above`),
    ...bare.map(
      (line) =>
        `Not tried on records: ${nameOf(line)}: none could be made:${line.slice(nameOf(line).length + 1)}; all else held`,
    ),
  ]
  return { lines, isSound: failed.length === 0 }
}
