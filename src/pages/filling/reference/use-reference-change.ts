import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { useCall } from '#pages/filling/use-call.ts'
import type { Label } from '#schema/words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { problemOf } from '#views/shared/problem.ts'

/** A proposed change of reference data, with its previewed effect. */
export type Proposal<Subject, Values, Effect> = { subject: Subject; values: Values; isReset: boolean; effect: Effect }

export type ReferenceKind<Subject, Values> = {
  urlOf: (subject: Subject) => string
  valuesOf: (values: Values) => Values
  wasSet: Label
  wasReset: Label
}

/** Previews a change of reference data, and writes it once confirmed. Keep `kind` stable. */
export function useReferenceChange<Subject extends { version: number }, Values extends object, Effect>(
  { urlOf, valuesOf, wasSet, wasReset }: ReferenceKind<Subject, Values>,
  onDone: () => void,
) {
  const call = useCall()
  const client = useQueryClient()
  const sayLabel = useSay()
  const [proposal, setProposal] = useState<Proposal<Subject, Values, Effect>>()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(problemOf(error).message)
      setOpen(false)
      await client.invalidateQueries({ queryKey: ['filling'] })
    } finally {
      setBusy(false)
    }
  }
  const look = (subject: Subject, values: Values, isReset: boolean) =>
    attempt(async () => {
      const payload = { ...valuesOf(values), version: subject.version }
      const effect = await call<Effect>({ url: `${urlOf(subject)}/preview`, method: 'post', payload })
      setProposal({ subject, values, isReset, effect })
      setOpen(true)
    })
  const write = () =>
    attempt(async () => {
      if (!proposal) return
      const { subject, values, isReset } = proposal
      const payload = { ...valuesOf(values), version: subject.version }
      if (isReset) await call({ url: urlOf(subject), method: 'delete' })
      else await call({ url: urlOf(subject), method: 'put', payload })
      openNotification({ kind: 'success', title: sayLabel(isReset ? wasReset : wasSet) })
      setOpen(false)
      onDone()
      await client.invalidateQueries({ queryKey: ['filling'] })
    })
  return { proposal, isOpen, isBusy, failure, look, write, cancel: () => setOpen(false) }
}
