import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { problemOf } from '#views/shared/problem.ts'
import { useCall } from './use-call.ts'

type Deed = { method: 'post' | 'delete'; payload: Record<string, number | boolean>; done: Label }

/** Runs the confirmed job and refetches everything on screen. */
export function useDemoJob() {
  const call = useCall()
  const client = useQueryClient()
  const sayLabel = useSay()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async ({ method, payload, done }: Deed) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call({ url: 'demo-fleet', method, payload })
      openNotification({ kind: 'success', title: sayLabel(done) })
      await client.invalidateQueries()
    } catch (error) {
      setFailure(problemOf(error).message)
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  const ask = () => {
    setOpened(true)
    setOpen(true)
  }
  return { isOpen, wasOpened, isBusy, failure, ask, run, cancel: () => setOpen(false) }
}
