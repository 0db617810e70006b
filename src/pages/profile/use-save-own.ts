import { type BaseRecord, useUpdate } from '@refinedev/core'
import { useEffect, useState } from 'react'
import { useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { isSame } from '#views/form/form-values.ts'
import { type Problem, problemOf } from '#views/shared/problem.ts'
import { profileInputId } from './profile-field.tsx'

/**
 * Saves values of the own record; true = saved. Changes of another tab are kept: a conflict is shown only for a value that both
 * have changed. The first refused input gets the focus. `inputId`: id of the input of a path; keep it stable.
 */
export function useSaveOwn(record: BaseRecord, inputId: (path: string) => string = profileInputId) {
  const words = useWords()
  const { mutateAsync, mutation } = useUpdate()
  const [problem, setProblem] = useState<Problem>()

  useEffect(() => {
    const [first] = Object.keys(problem?.errors ?? {})
    if (first !== undefined) document.getElementById(inputId(first))?.focus()
  }, [problem, inputId])

  const send = (values: Record<string, unknown>, version: unknown) =>
    mutateAsync({
      resource: 'user',
      id: String(record.id),
      values: { ...values, version },
      meta: { merges: true },
      successNotification: false,
      errorNotification: false,
    })
  const sendMerged = (values: Record<string, unknown>) =>
    send(values, record.version).catch((error: unknown) => {
      const { current } = problemOf(error)
      const isApart = current && Object.keys(values).every((name) => isSame(current[name], record[name]))
      if (isApart) return send(values, current.version)
      throw error
    })
  const save = async (values: Record<string, unknown>): Promise<boolean> => {
    setProblem(undefined)
    try {
      await sendMerged(values)
      openNotification({ kind: 'success', title: words('common.saved') })
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    }
  }
  return { save, problem, isBusy: mutation.isPending }
}
