import { appendFileSync } from 'node:fs'

const lines = new Set<string>()

/** Notes a check that a definition gives no ground for, and why: it is printed at the end. */
export function skipCheck(what: string, why: string): void {
  lines.add(`${what}: ${why}`)
}

/** Everything that was left out, in order. */
export const leftOut = (): string[] => [...lines]

/** Hands to the command that no record could be made at all, and why. */
export function handOverUnmade(name: string, why: string, file = process.env.PROVE_UNMADE): void {
  if (file) appendFileSync(file, `${name}: ${why}\n`)
}

/** Hands the list to the command, which prints it after the last test. */
export function handOver(name: string, file = process.env.PROVE_LEFT_OUT): void {
  if (file)
    appendFileSync(
      file,
      leftOut()
        .map((line) => `${name}: ${line}\n`)
        .join(''),
    )
  lines.clear()
}
