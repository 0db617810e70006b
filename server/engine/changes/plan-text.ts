import { accessLines } from './access/access-text.ts'
import { addedText, keptText } from './kept-rows.ts'
import { noteText, whenSecretKind } from './notes.ts'
import { obstacleText } from './obstacles.ts'
import type { Plan } from './plan.ts'
import { stepText } from './steps.ts'

const part = (title: string, lines: readonly string[]) => (lines.length > 0 ? ['', title, ...lines] : [])

export function planText({ added, filled, kept, steps, obstacles, notes, access, links }: Plan): string {
  const isNothing = added.length + steps.length + obstacles.length + notes.length + kept.length === 0
  const outlived = notes.filter(({ kind }) => kind === whenSecretKind)
  const narrower = notes.filter(({ kind }) => kind !== whenSecretKind)
  const head =
    obstacles.length > 0
      ? 'The definitions do not fit the data. Nothing can be applied before this is mended:'
      : steps.length > 0
        ? 'The definitions change data. `npm run plan -- --apply` does it; stop the servers before, and make a backup.'
        : isNothing
          ? 'The database fits the definitions.'
          : added.length > 0
            ? 'The next start adds what is missing; there is nothing to apply.'
            : narrower.length > 0
              ? 'There is nothing to apply, though some rows do not fit any more.'
              : 'There is nothing to apply.'
  return [
    head,
    ...obstacles.map(obstacleText),
    ...part('To be applied:', steps.map(stepText)),
    ...part('Narrower than what rows hold:', narrower.map(noteText)),
    ...part('Secrets that outlived their condition:', outlived.map(noteText)),
    ...part(
      'Added by the next start:',
      added.map((name) => addedText(name, filled)),
    ),
    ...part('Of another type, with nothing to write:', kept.map(keptText)),
    ...part('Who sees and may do more (+), less (-) or something else (~):', accessLines(access)),
    ...part(
      'Addresses that change:',
      links.map(({ resource, address, why }) => `  ${resource}: ${address}: ${why}`),
    ),
  ].join('\n')
}
