import { useEffect, useRef, useState } from 'react'
import type { SelectChoice } from './select-input.tsx'

export type LoadOptions = (search: string, signal: AbortSignal) => Promise<readonly SelectChoice[]>

const pauseMs = 200

type Answer = { search: string; options: readonly SelectChoice[] }

/** Loads options when the list opens, debounced while typing; outdated answers are dropped. */
export function useSelectOptions(load: LoadOptions | undefined, isOpen: boolean, search: string) {
  const [answer, setAnswer] = useState<Answer>()
  const [failedFor, setFailedFor] = useState<string>()
  const latestLoad = useRef(load)
  useEffect(() => {
    latestLoad.current = load
  })
  useEffect(() => {
    if (!isOpen || !latestLoad.current) return
    const abort = new AbortController()
    const ask = () => {
      setFailedFor(undefined)
      latestLoad.current?.(search, abort.signal).then(
        (options) => !abort.signal.aborted && setAnswer({ search, options }),
        () => !abort.signal.aborted && setFailedFor(search),
      )
    }
    const timer = setTimeout(ask, search ? pauseMs : 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [isOpen, search])
  const isFailed = failedFor === search
  return {
    options: answer?.options ?? [],
    isLoading: Boolean(load) && isOpen && answer?.search !== search && !isFailed,
    isFailed,
  }
}
