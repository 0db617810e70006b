import { useDataProvider } from '@refinedev/core'
import { useState } from 'react'
import { type Problem, problemOf } from '#views/shared/problem.ts'

type OwnCall = { url: string; method: 'put' | 'post' | 'delete'; payload?: Record<string, unknown> }

/** A request about the own account, with its error. True = success. */
export function useOwnCall() {
  const dataProvider = useDataProvider()
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const send = async (call: OwnCall): Promise<boolean> => {
    setProblem(undefined)
    setBusy(true)
    try {
      await dataProvider().custom?.(call)
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { send, problem, isBusy }
}
