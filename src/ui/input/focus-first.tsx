import { type ReactNode, useEffect, useRef } from 'react'

const fields = 'input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled)'
const mostFrames = 30

/** Focuses `[data-autofocus]`, else the first field, when a dialog opens. */
export function FocusFirst({ children }: { children: ReactNode }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let frame = 0
    let count = 0
    // An element that is not painted cannot take the focus, and a dialog becomes visible only after its mount.
    const tryFocus = () => {
      const dialog = mark.current?.closest('[role="dialog"]')
      const wanted = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? mark.current?.querySelector<HTMLElement>(fields)
      wanted?.focus({ preventScroll: true })
      count += 1
      if (wanted && document.activeElement !== wanted && count < mostFrames) frame = requestAnimationFrame(tryFocus)
    }
    frame = requestAnimationFrame(tryFocus)
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <div ref={mark} className="ui-contents">
      {children}
    </div>
  )
}
