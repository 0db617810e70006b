import { type ReactNode, useEffect, useRef } from 'react'

const fields = 'input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled)'
/** Text to copy; the input of a choice without a search is read-only as well. */
const isToCopy = (field: HTMLElement) => field.matches('[readonly]:not([role="combobox"])')
const mostFrames = 30

/** Focuses `[data-autofocus]`, else the first field that takes text, else the first one to copy, when a dialog opens. */
export function FocusFirst({ children }: { children: ReactNode }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let frame = 0
    let count = 0
    // An element that is not painted cannot take the focus, and a dialog becomes visible only after its mount.
    const tryFocus = () => {
      const dialog = mark.current?.closest('[role="dialog"]')
      const found = [...(mark.current?.querySelectorAll<HTMLElement>(fields) ?? [])]
      const wanted =
        dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? found.find((field) => !isToCopy(field)) ?? found[0]
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
