import { useSay } from '#fields/definitions.tsx'
import { choiceLabel } from '#schema/facts/choices.ts'
import type { FieldOf } from '#schema/field-types.ts'
import type { UpdateEvent } from './read-events.ts'
import { updateWords } from './update-words.ts'

const course = ['QUEUED', 'DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING', 'CONFIRMING', 'SUCCEEDED']

type Look = 'done' | 'now' | 'ahead' | 'broken'

/** Appearance of a step: a state outside of the normal course (failed, cancelling) marks the step it came from. */
function lookOf(step: string, status: string, events: readonly UpdateEvent[]): Look {
  const at = course.indexOf(step)
  const here = course.indexOf(status)
  if (here >= 0) return at < here || status === 'SUCCEEDED' ? 'done' : at === here ? 'now' : 'ahead'
  const reached = Math.max(0, ...events.flatMap(({ from, to }) => [course.indexOf(from ?? ''), course.indexOf(to)]))
  if (at === reached && status !== 'SCHEDULED') return status === 'CANCELING' ? 'now' : 'broken'
  return at < reached ? 'done' : 'ahead'
}

export type UpdateStepsProps = { status: string; field: FieldOf<'status'>; events: readonly UpdateEvent[] }

/** Steps of an update from the queue to success, with the current one. */
export function UpdateSteps({ status, field, events }: UpdateStepsProps) {
  const sayLabel = useSay()
  return (
    <ol className="update-steps" aria-label={sayLabel(updateWords.steps)}>
      {course.map((step) => {
        const look = lookOf(step, status, events)
        return (
          <li key={step} className={`update-step update-step-${look}`} aria-current={look === 'now' ? 'step' : undefined}>
            <span className="update-step-name">{sayLabel(choiceLabel(field, step))}</span>
            <span className="ui-hidden">, {sayLabel(updateWords[look])}</span>
          </li>
        )
      })}
    </ol>
  )
}
