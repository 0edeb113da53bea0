import { useEffect, useRef, useState } from 'react'

/** Only the last seconds count, so that the pace follows the current files. */
const WINDOW_MS = 20_000
/** Number of finished files before an estimate makes sense. */
const ENOUGH = 3

/** Seconds until all files are finished, at the current pace; null while unknown. */
export function usePace(ended: number, total: number): number | null {
  const seen = useRef<{ at: number; ended: number }[]>([])
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const at = performance.now()
    if (total === 0 || ended < (seen.current.at(-1)?.ended ?? 0)) seen.current = []
    seen.current = [...seen.current.filter(each => at - each.at < WINDOW_MS), { at, ended }]
    const [first] = seen.current
    const done = first ? ended - first.ended : 0
    setLeft(first && done >= ENOUGH ? ((at - first.at) / 1000 / done) * (total - ended) : null)
  }, [ended, total])
  return left
}
