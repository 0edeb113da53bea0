import { useEffect, useRef } from 'react'

/** Calls a function before each frame is drawn, for as long as something plays. */
export function useEachFrame(isPlaying: boolean, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    if (!isPlaying) return
    let frame = 0
    const next = () => {
      latest.current()
      frame = requestAnimationFrame(next)
    }
    frame = requestAnimationFrame(next)
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
}
