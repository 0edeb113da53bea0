import type { KeyboardEvent, PointerEvent } from 'react'
import { useId } from 'react'
import { HEIGHT, pathOf } from '../../forms/trim/wave.ts'
import { text } from '../../messages/text.ts'
import { afterKey } from '../../ui/slider-keys.ts'
import classes from './Waveform.module.css'

interface Props {
  /** Loudest samples of equal intervals, 0 to 1. */
  peaks: readonly number[]
  seconds: number
  total: number
  onSeek: (seconds: number) => void
}

const STEP_SECONDS = 1

/** The waveform of a media file, for choosing a position. Time runs from left to right in every language. */
export function Waveform({ peaks, seconds, total, onSeek }: Props) {
  const id = useId()
  const shape = pathOf(peaks)
  const share = total > 0 ? Math.min(1, seconds / total) : 0
  const to = (wanted: number) => onSeek(Math.min(total, Math.max(0, wanted)))
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (width > 0) to(((event.clientX - left) / width) * total)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event.key, seconds, { most: total, step: STEP_SECONDS })
    if (next === undefined) return
    event.preventDefault()
    to(next)
  }
  return (
    <div
      className={classes.waveform}
      role="slider"
      tabIndex={0}
      aria-label={text('preview.position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.min(Math.round(seconds), Math.round(total))}
      aria-valuetext={text('preview.positionValue', {
        seconds: Math.round(seconds),
        total: Math.round(total),
      })}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
    >
      <svg
        viewBox={`0 0 ${Math.max(1, peaks.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <clipPath id={id}>
          <rect x="0" y="0" width={share * peaks.length} height={HEIGHT} />
        </clipPath>
        <path className={classes.ahead} d={shape} />
        <path className={classes.played} d={shape} clipPath={`url(#${id})`} />
      </svg>
      <span className={classes.cursor} style={{ left: `${share * 100}%` }} />
    </div>
  )
}
