import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type AnswerQuery, useAnswer } from './use-answer.ts'
import { useReadAt } from './use-read-at.ts'

/** Data about a record, refetched when the live stream reports a change of that record. */
export function useLiveAnswer<T>(resource: string, id: string, asked: AnswerQuery<T>): UseQueryResult<T | null> {
  const answer = useAnswer(asked)
  const { refetch } = answer
  const readAt = useReadAt(resource, id)
  const seen = useRef(readAt)
  useEffect(() => {
    if (seen.current === readAt) return
    seen.current = readAt
    void refetch()
  }, [readAt, refetch])
  return answer
}
