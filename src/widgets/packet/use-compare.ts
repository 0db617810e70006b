import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Row } from '#fields/field-kind.ts'
import { useLastValid } from './use-last-valid.ts'

const key = 'compare'

/** True while the comparison with the last valid packet is on; kept in the address. */
export function useCompare(resource: string, record: Row) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isOn = new URLSearchParams(search).has(key)
  const last = useLastValid(resource, record, isOn)
  const change = useCallback(
    (next: boolean) => {
      const params = new URLSearchParams(search)
      if (next) params.set(key, '1')
      else params.delete(key)
      const query = params.toString()
      navigate(query ? `${pathname}?${query}` : pathname, { replace: true, preventScrollReset: true })
    },
    [navigate, pathname, search],
  )
  return { isOn, change, last }
}
