import { useEffect, useState } from 'react'

export type Row = Readonly<Record<string, unknown>> & { id: string }

/** Token of the session that the bench puts into the browser's storage, in the console's own form. */
const token = (): string => JSON.parse(localStorage.getItem('ess-console.session') ?? '{}').session?.accessToken ?? ''

async function call<T>(path: string): Promise<{ body: T; total: number }> {
  const answer = await fetch(`/api/${path}`, { headers: { authorization: `Bearer ${token()}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return { body: await answer.json(), total: Number(answer.headers.get('x-total-count')) }
}

/** Answer of a path; the answer before stays until the next one is there. */
export function useCall<T>(path: string): { body: T; total: number } | undefined {
  const [answer, setAnswer] = useState<{ body: T; total: number }>()
  useEffect(() => {
    let isStale = false
    call<T>(path).then((next) => {
      if (!isStale) setAnswer(next)
    })
    return () => {
      isStale = true
    }
  }, [path])
  return answer
}

/** A value as text, nested values by their members. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'object') return String(value)
  return Object.values(value).map(textOf).join(' · ')
}
