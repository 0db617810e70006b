import { useState } from 'react'

/** The value of the first render, until one comes that reads otherwise: what is computed from it is computed once. */
export function useSame<T>(value: T): T {
  const [same, setSame] = useState(value)
  if (value === same || JSON.stringify(value) === JSON.stringify(same)) return same
  setSame(value)
  return value
}
