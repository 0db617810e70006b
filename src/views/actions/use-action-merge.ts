import { useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import { valueAt } from '#schema/rule.ts'
import type { Form, Values } from '#views/form/form-values.ts'
import { changedParts, mergeParts, partConflicts, partsOf } from '#views/form/merge/merge-parts.ts'
import type { Problem } from '#views/shared/problem.ts'

export type ActionMergeOptions = {
  fields: Fields
  form: Form
  /** Initial form values from an answer. */
  startOver: (answer: unknown) => Values
}

export type Settled = {
  form: Form
  source: unknown
  /** The merged form still differs from the answer. */
  isChanged: boolean
}

/**
 * Optimistic lock of an action's form: when the answer that filled it is stale, the refusal carries the newer one, and typed
 * values are merged over it.
 */
export function useActionMerge({ fields, form, startOver }: ActionMergeOptions) {
  const [current, setCurrent] = useState<Row>()
  const theirs = current && startOver(current)
  const isOvertaken = ({ statusCode, current: newer }: Problem): boolean => {
    if (statusCode !== 409 || !newer) return false
    setCurrent(newer)
    return true
  }
  const settle = (chosen: Values): Settled | undefined => {
    if (!theirs) return undefined
    setCurrent(undefined)
    const next = { ...form, base: theirs, values: mergeParts(fields, form, theirs, chosen) }
    const isChanged = changedParts(fields, next).some((path) => valueAt(current, path) !== undefined)
    return { form: next, source: current, isChanged }
  }
  return {
    isOvertaken,
    settle,
    dismiss: () => setCurrent(undefined),
    conflict: theirs && { theirs, paths: partConflicts(fields, form, theirs), parts: partsOf(fields) },
  }
}
