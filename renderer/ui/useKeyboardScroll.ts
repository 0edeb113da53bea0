import { useWindowEvent } from '@mantine/hooks'
import { type RefObject, useRef } from 'react'

/** How much of a page stays visible when it is scrolled by one screen. */
const OVERLAP_PX = 60
const LINE_PX = 60

const steps: Readonly<Record<string, (page: number) => number>> = {
  ArrowDown: () => LINE_PX,
  ArrowUp: () => -LINE_PX,
  PageDown: page => page,
  PageUp: page => -page,
  ' ': page => page,
  End: () => Number.MAX_SAFE_INTEGER,
  Home: () => -Number.MAX_SAFE_INTEGER,
}

/** Lets keys scroll an element while nothing has the focus; browsers would only scroll the document. */
export function useKeyboardScroll(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  useWindowEvent('keydown', event => {
    const step = steps[event.key]
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
    if (!step || isOther || event.target !== document.body || !ref.current) return
    event.preventDefault()
    const down = step(ref.current.clientHeight - OVERLAP_PX)
    ref.current.scrollBy({ top: event.key === ' ' && event.shiftKey ? -down : down })
  })
  return ref
}
