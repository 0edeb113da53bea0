import { type KeyboardEvent, type PointerEvent, useContext, useMemo, useRef } from 'react'
import { text } from '../../messages/text.ts'
import { afterKey } from '../../ui/slider-keys.ts'
import { Surroundings } from '../surroundings.ts'
import { moved, nearest, partsOf, stepOf } from './span.ts'
import classes from './TrimBar.module.css'
import { timeText } from './time.ts'
import { HEIGHT, pathOf } from './wave.ts'

interface Props {
  /** Length of the media file in seconds. */
  total: number
  edges: readonly number[]
  /** Those of the beginning and the end of a part. */
  labels: readonly [string, string]
  onMove: (edges: number[]) => void
}

/** Where the pictures of a video along the bar are from. */
const FRAMES = [1, 3, 5, 7, 9, 11].map(twelfth => twelfth / 12)

/** A whole media file, of which the parts between pairs of handles are kept. Time runs from left to right in every language. */
export function TrimBar({ total, edges, labels, onMove }: Props) {
  const { peaks, video } = useContext(Surroundings)
  const { fps, picture } = video ?? {}
  const shape = useMemo(() => peaks && pathOf(peaks), [peaks])
  const bar = useRef<HTMLDivElement>(null)
  const held = useRef<number>(null)

  const move = (nth: number, to: number) => onMove(moved(nth, to, edges, total, fps))
  const under = ({ clientX }: PointerEvent) => {
    const { left, width } = bar.current?.getBoundingClientRect() ?? new DOMRect()
    return width > 0 ? ((clientX - left) / width) * total : 0
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = nearest(under(event), edges)
    bar.current?.querySelector<HTMLElement>(`[data-handle="${held.current}"]`)?.focus()
    event.preventDefault()
    move(held.current, under(event))
  }
  const onKeyDown = (nth: number, event: KeyboardEvent) => {
    const step = event.shiftKey ? 1 : stepOf(total, fps)
    const to = afterKey(event.key, edges[nth]!, { most: total, step, far: 10 * step })
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(nth, to)
  }
  const share = (seconds: number) => `${Math.min(100, (seconds / total) * 100)}%`
  return (
    <div
      ref={bar}
      className={classes.bar}
      dir="ltr"
      onPointerDown={onPointerDown}
      onPointerMove={event => held.current !== null && move(held.current, under(event))}
      onLostPointerCapture={() => {
        held.current = null
      }}
    >
      {picture && (
        <span className={classes.filmstrip} aria-hidden="true">
          {FRAMES.map(share => (
            <span key={share}>{picture(share * total)}</span>
          ))}
        </span>
      )}
      {shape !== null && (
        <svg
          className={classes.wave}
          viewBox={`0 0 ${Math.max(1, peaks?.length ?? 1)} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={shape} />
        </svg>
      )}
      {partsOf([0, ...edges, total]).map(({ part, from, to }) => (
        <span key={part} className={classes.cut} style={{ left: share(from), width: share(to - from) }} />
      ))}
      {edges.map((edge, nth) => {
        const label = labels[nth % 2]!
        const name = edges.length > 2 ? text('form.ofPart', { label, part: 1 + Math.floor(nth / 2) }) : label
        return (
          <span
            key={name}
            className={classes.handle}
            data-handle={nth}
            style={{ left: share(edge) }}
            role="slider"
            tabIndex={0}
            aria-label={name}
            aria-valuemin={0}
            aria-valuemax={total}
            aria-valuenow={edge}
            aria-valuetext={text('form.trimAt', { time: timeText(edge), total: timeText(total) })}
            onKeyDown={event => onKeyDown(nth, event)}
          />
        )
      })}
    </div>
  )
}
