const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)
/** Order of two versions by their three numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)]
  return [0, 1, 2].map((index) => (left[index] ?? 0) - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}
