import { useDataProvider } from '@refinedev/core'
import { useState } from 'react'
import { type Problem, problemOf } from '#views/shared/problem.ts'

type OwnCall = { url: string; method: 'put' | 'post' | 'delete'; payload?: Record<string, unknown> }

/** One call about the own account, with what was wrong with it. True = it went through. */
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
