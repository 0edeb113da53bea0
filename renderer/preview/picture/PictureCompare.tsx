import { SegmentedControl } from '@mantine/core'
import { IconArrowsHorizontal } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { arrows } from '../../forms/crop/frame.ts'
import { text } from '../../messages/text.ts'
import { percent as asPercent } from '../../ui/format.ts'
import { afterKey } from '../../ui/slider-keys.ts'
import type { PictureContent } from '../content/content.ts'
import { underPointer } from './boundary.ts'
import classes from './PictureCompare.module.css'

interface Props {
  before: PictureContent
  after: PictureContent | null
  name: string
}

/** Shift of the picture in percent for one press of an arrow key. */
const PAN_STEP = 5

const isRightToLeft = () => document.documentElement.dir === 'rtl'

/** Two pictures over each other with a draggable divider, or one alone; fitted or at full size. */
export function PictureCompare({ before, after, name }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [percent, setPercent] = useState(50)
  const [zoom, setZoom] = useState<'fit' | 'actual'>('fit')
  const [at, setAt] = useState({ x: 50, y: 50 })
  const drag = useRef<{ x: number; y: number; from: { x: number; y: number }; isBoundary: boolean }>(null)

  const box = () => stage.current?.getBoundingClientRect() ?? new DOMRect()
  const pan = (x: number, y: number) =>
    setAt({ x: Math.min(100, Math.max(0, x)), y: Math.min(100, Math.max(0, y)) })

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const isBoundary =
      after !== null && (zoom === 'fit' || (event.target as Element).closest('[role="slider"]') !== null)
    drag.current = { x: event.clientX, y: event.clientY, from: at, isBoundary }
    event.currentTarget.setPointerCapture(event.pointerId)
    if (isBoundary) setPercent(underPointer(event.clientX, box(), isRightToLeft()))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag.current) return
    const { x, y, from, isBoundary } = drag.current
    const { width, height } = box()
    if (isBoundary) setPercent(underPointer(event.clientX, box(), isRightToLeft()))
    else if (zoom === 'actual')
      pan(from.x - ((event.clientX - x) / width) * 100, from.y - ((event.clientY - y) / height) * 100)
  }
  const onPointerUp = () => {
    drag.current = null
  }
  const onBoundaryKey = (event: KeyboardEvent) => {
    const next = afterKey(event.key, percent, { most: 100, step: 2, far: 10, isReversed: isRightToLeft() })
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setPercent(next)
  }
  const onPanKey = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (!arrow) return
    event.preventDefault()
    pan(at.x + PAN_STEP * arrow[0], at.y + PAN_STEP * arrow[1])
  }
  // Pages have no pixels of their own, and are opaque.
  const shape = [before, after].find(side => side?.width && side.height)
  const position = { objectPosition: `${at.x}% ${at.y}%` }
  const panning =
    zoom === 'actual'
      ? ({ role: 'group', 'aria-label': text('preview.pan'), tabIndex: 0, onKeyDown: onPanKey } as const)
      : {}
  return (
    <div className={`${classes.compare} preview-side`}>
      <div
        ref={stage}
        className={classes.stage}
        data-zoom={zoom}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        style={{ ['--at' as string]: `${percent}%` }}
        {...panning}
      >
        {shape && (
          <div className={classes.squares} style={{ ['--ratio' as string]: shape.width! / shape.height! }} />
        )}
        <img className={classes.picture} src={before.file} alt={name} draggable={false} style={position} />
        {after && (
          <>
            <img
              className={`${classes.picture} ${classes.after}`}
              src={after.file}
              alt={text('preview.after')}
              draggable={false}
              style={position}
            />
            <span className={classes.label} data-side="before">
              {text('preview.before')}
            </span>
            <span className={classes.label} data-side="after">
              {text('preview.after')}
            </span>
            <div
              className={classes.boundary}
              role="slider"
              tabIndex={0}
              aria-label={text('preview.boundary')}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.round(percent)}
              aria-valuetext={text('preview.boundaryValue', {
                percent: asPercent(Math.round(percent) / 100),
              })}
              onKeyDown={onBoundaryKey}
            >
              <span className={classes.handle}>
                <IconArrowsHorizontal size={16} aria-hidden="true" />
              </span>
            </div>
          </>
        )}
      </div>
      <SegmentedControl
        className={classes.zoom ?? ''}
        size="xs"
        aria-label={text('preview.zoom')}
        value={zoom}
        onChange={setZoom}
        data={[
          { value: 'fit', label: text('preview.fit') },
          { value: 'actual', label: text('preview.actual') },
        ]}
      />
    </div>
  )
}
