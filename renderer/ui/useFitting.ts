import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** A row and the elements that share its width. */
interface Row {
  box: RefObject<HTMLElement | null>
  /** Its buttons are counted; those that do not fit must be out of the flow but keep their width. */
  items: RefObject<HTMLElement | null>
  /** Always shown after the buttons. */
  last: RefObject<HTMLElement | null>
  gap: number
}

/**
 * How many buttons fit into a row, counted from its start.
 * @param keys change whenever the buttons or the width of any of them change
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
    // Rendered before the browser paints, so that no frame shows buttons outside of the row.
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(around)
    // Their widths change with their labels and letters.
    for (const { current } of [items, last]) if (current) observer.observe(current)
    return () => observer.disconnect()
  }, [...keys, box, items, last, gap])
  return count
}
