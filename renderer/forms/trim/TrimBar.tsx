import { type KeyboardEvent, type PointerEvent, useContext, useMemo, useRef } from 'react'
import { text } from '../../messages/text.ts'
import { afterKey } from '../../ui/slider-keys.ts'
import { WholePeaks } from '../surroundings.ts'
import { type Handle, moved, nearer, stepOf, type TrimSpan } from './span.ts'
import classes from './TrimBar.module.css'
import { timeText } from './time.ts'
import { HEIGHT, pathOf } from './wave.ts'

interface Props {
  /** Length of the media file in seconds. */
  total: number
  span: TrimSpan
  labels: Record<Handle, string>
  onMove: (handle: Handle, seconds: number) => void
}

/** A whole media file, of which the part between two handles is kept. Time runs from left to right in every language. */
export function TrimBar({ total, span, labels, onMove }: Props) {
  const peaks = useContext(WholePeaks)
  const shape = useMemo(() => peaks && pathOf(peaks), [peaks])
  const bar = useRef<HTMLDivElement>(null)
  const held = useRef<Handle>(null)

  const move = (handle: Handle, to: number) => onMove(handle, moved(handle, to, span, total))
  const under = ({ clientX }: PointerEvent) => {
    const { left, width } = bar.current?.getBoundingClientRect() ?? new DOMRect()
    return width > 0 ? ((clientX - left) / width) * total : 0
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = nearer(under(event), span)
    bar.current?.querySelector<HTMLElement>(`[data-handle="${held.current}"]`)?.focus()
    event.preventDefault()
    move(held.current, under(event))
  }
  const onKeyDown = (handle: Handle, event: KeyboardEvent) => {
    const step = stepOf(total)
    const to = afterKey(event.key, span[handle], { most: total, step, far: 10 * step })
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(handle, to)
  }
  const share = (seconds: number) => `${Math.min(100, (seconds / total) * 100)}%`
  return (
    <div
      ref={bar}
      className={classes.bar}
      dir="ltr"
      onPointerDown={onPointerDown}
      onPointerMove={event => held.current && move(held.current, under(event))}
      onPointerUp={() => {
        held.current = null
      }}
      onPointerCancel={() => {
        held.current = null
      }}
    >
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
      <span className={classes.cut} style={{ left: 0, width: share(span.start) }} />
      <span className={classes.cut} style={{ left: share(span.end), right: 0 }} />
      {(['start', 'end'] as const).map(handle => (
        <span
          key={handle}
          className={classes.handle}
          data-handle={handle}
          style={{ left: share(span[handle]) }}
          role="slider"
          tabIndex={0}
          aria-label={labels[handle]}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={span[handle]}
          aria-valuetext={text('form.trimAt', { time: timeText(span[handle]), total: timeText(total) })}
          onKeyDown={event => onKeyDown(handle, event)}
        />
      ))}
    </div>
  )
}
