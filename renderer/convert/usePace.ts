import { useEffect, useRef, useState } from 'react'

/** The pace is that of the last seconds, so that it follows the files being worked on now. */
const WINDOW_MS = 20_000
/** Files that must have ended before an estimate makes sense. */
const ENOUGH = 3

/** Seconds until all files are through, by the pace of the latest ones; null while that cannot be told. */
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
