import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Threshold, ThresholdEffect, ThresholdLimit } from '#schema/warnings/threshold.ts'
import { openNotification } from '#ui/notification.ts'
import { problemOf } from '#views/problem.ts'
import { referenceWords } from './reference-words.ts'
import { limitOf } from './threshold-draft.ts'
import { useCall } from './use-call.ts'

/** A change that is looked at before it is made. */
export type Proposal = { threshold: Threshold; limit: ThresholdLimit; isReset: boolean; effect: ThresholdEffect }

/** Looks at what a change would do, and makes it when it is agreed to. */
export function useThresholdChange(onDone: () => void) {
  const call = useCall()
  const client = useQueryClient()
  const sayLabel = useSay()
  const [proposal, setProposal] = useState<Proposal>()
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
  const urlOf = ({ key }: Threshold) => `warning-threshold/${encodeURIComponent(key)}`
  const look = (threshold: Threshold, limit: ThresholdLimit, isReset: boolean) =>
    attempt(async () => {
      const payload = { ...limitOf(limit), version: threshold.version }
      const effect = await call<ThresholdEffect>({ url: `${urlOf(threshold)}/preview`, method: 'post', payload })
      setProposal({ threshold, limit, isReset, effect })
      setOpen(true)
    })
  const write = () =>
    attempt(async () => {
      if (!proposal) return
      const { threshold, limit, isReset } = proposal
      const payload = { ...limitOf(limit), version: threshold.version }
      if (isReset) await call({ url: urlOf(threshold), method: 'delete' })
      else await call({ url: urlOf(threshold), method: 'put', payload })
      openNotification({ kind: 'success', title: sayLabel(isReset ? referenceWords.wasReset : referenceWords.wasSet) })
      setOpen(false)
      onDone()
      await client.invalidateQueries({ queryKey: ['filling'] })
    })
  return { proposal, isOpen, isBusy, failure, look, write, cancel: () => setOpen(false) }
}
