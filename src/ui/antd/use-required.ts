import type { RefSelectProps } from 'antd'
import { useLayoutEffect, useRef } from 'react'

/**
 * Marks the input of a select as required. antd hands its ARIA props to the element around it as well, where this one has no
 * meaning.
 */
export function useRequired(isRequired: boolean | undefined) {
  const select = useRef<RefSelectProps>(null)
  useLayoutEffect(() => {
    const input = select.current?.nativeElement.querySelector('input')
    if (isRequired) input?.setAttribute('aria-required', 'true')
    else input?.removeAttribute('aria-required')
  }, [isRequired])
  return select
}
