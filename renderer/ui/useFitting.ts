import { type RefObject, useLayoutEffect, useState } from 'react'

/** Room in a row, and what is to be in it. */
interface Row {
  box: RefObject<HTMLElement | null>
  /** Its buttons are what is counted; those that do not fit are to be out of the flow, but of their width. */
  items: RefObject<HTMLElement | null>
  /** Stands behind them in any case. */
  last: RefObject<HTMLElement | null>
  gap: number
}

/**
 * How many buttons fit into a row from its beginning.
 * @param keys change with the buttons, and with the width of any
 */
export function useFitting({ box, items, last, gap }: Row, keys: readonly unknown[]): number {
  const [count, setCount] = useState(Infinity)
  useLayoutEffect(() => {
    const around = box.current
    if (!around) return
    const measure = () => {
      let left = around.clientWidth - (last.current?.offsetWidth ?? 0)
      let fitting = 0
      for (const item of items.current?.querySelectorAll('button') ?? []) {
        left -= item.offsetWidth + gap
        if (left < 0) break
        fitting++
      }
      setCount(fitting)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(around)
    // It may have another name than before.
    if (last.current) observer.observe(last.current)
    return () => observer.disconnect()
  }, [...keys, box, items, last, gap])
  return count
}
