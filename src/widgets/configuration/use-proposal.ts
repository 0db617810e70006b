import { useRef, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { dangerPart } from '#schema/danger-part.ts'
import type { Fields } from '#schema/field-types.ts'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { useRunAction } from '#views/actions/use-run-action.ts'
import { isSame } from '#views/form/form-values.ts'
import { problemOf } from '#views/shared/problem.ts'
import { type ConfigurationSync, differing, readConfigurationSync } from './configuration-sync.ts'
import type { Proposal } from './proposal.ts'

export type ProposalOptions = {
  proposal: Proposal
  sync: ConfigurationSync
  fields: Fields
  offer: ActionOffer
  code: string
  onDone: () => void
}

/** Requests prepared values; after a conflict the user sees the new differences and keeps the input. */
export function useProposal({ proposal, sync: shown, fields, offer, code, onDone }: ProposalOptions) {
  const sayLabel = useSay()
  const run = useRunAction()
  // Snapshot: live updates must not change a dialog under review.
  const [sync, setSync] = useState(shown)
  const [reason, setReason] = useState(() => sayLabel(proposal.reason, { version: proposal.version }))
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isOvertaken, setOvertaken] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const isSent = useRef(false)

  const desired = proposal.desiredOver(sync.desired)
  const names = differing(fields, sync.desired, desired)
  const isDangerous = (name: string) => {
    const field = fields[name]
    const part = (value: unknown) => (field?.type === 'list' ? dangerPart(field, value) : value)
    return sync.danger.fields.includes(name) && !isSame(part(sync.desired[name]), part(desired[name]))
  }
  const dangers = names.filter(isDangerous)
  const isBlocked = dangers.length > 0 && sync.danger.refusal !== null
  const asksCode = dangers.length > 0 && !isBlocked
  const isReady = !isBlocked && (!asksCode || typed.trim() === code) && (names.length > 0 || proposal.text !== undefined)

  const send = async () => {
    if (!isReady || isSent.current) return
    isSent.current = true
    setBusy(true)
    setRefusal(undefined)
    const values = { desired, ...(reason.trim() && { reason }), ...(asksCode && { confirmCode: typed.trim() }) }
    try {
      await run(offer, { values, from: sync.answer })
      onDone()
    } catch (error) {
      const { statusCode, current, message } = problemOf(error)
      const newer = statusCode === 409 ? readConfigurationSync(current) : undefined
      if (newer) setSync(newer)
      setOvertaken(newer !== undefined)
      setRefusal(newer ? undefined : message)
    } finally {
      isSent.current = false
      setBusy(false)
    }
  }
  return {
    sync,
    desired,
    names,
    dangers,
    isBlocked,
    asksCode,
    isReady,
    isBusy,
    isOvertaken,
    refusal,
    reason,
    setReason,
    typed,
    setTyped,
    send,
  }
}
