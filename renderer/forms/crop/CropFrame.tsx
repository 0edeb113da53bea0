import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import classes from './CropFrame.module.css'
import { afterKey, type Corner, type CropArea, moved, resized, type Size } from './frame.ts'

interface Props {
  /** Address of the upright picture, of any size. */
  url: string
  /** Its true size. */
  size: Size
  frame: CropArea
  /** Width divided by height, if the proportions are fixed. */
  ratio: number | undefined
  onChange: (frame: CropArea) => void
}

/** Height of the picture in CSS pixels, at most. */
const HIGHEST = 320

const CORNERS: readonly Corner[] = ['nw', 'ne', 'sw', 'se']

/** A picture with a frame around what is kept, which is moved and resized by pointer and keys. Directions are those of the picture. */
export function CropFrame({ url, size, frame, ratio, onChange }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<CropArea | null>(null)
  const drag = useRef<{ corner: Corner | null; from: CropArea; x: number; y: number }>(null)
  const shown = dragged ?? frame

  /** The place of a pointer in pixels of the picture. */
  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = stage.current?.getBoundingClientRect() ?? new DOMRect()
    return { x: ((clientX - left) / width) * size.width, y: ((clientY - top) / height) * size.height }
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const corner = (event.target as HTMLElement).dataset.corner as Corner | undefined
    drag.current = { corner: corner ?? null, from: frame, ...placeOf(event) }
    stage.current?.querySelector<HTMLElement>('[tabindex]')?.focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag.current) return
    const { corner, from, x, y } = drag.current
    const at = placeOf(event)
    setDragged(
      corner ? resized(from, corner, at.x, at.y, size, ratio) : moved(from, at.x - x, at.y - y, size),
    )
  }
  const onPointerUp = () => {
    if (dragged) onChange(dragged)
    drag.current = null
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event.key, event.shiftKey, frame, size, ratio)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onChange(next)
  }
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <div
      ref={stage}
      className={classes.stage}
      dir="ltr"
      style={{
        aspectRatio: `${size.width} / ${size.height}`,
        maxWidth: (size.width / size.height) * HIGHEST,
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    >
      <img className={classes.picture} src={url} alt="" draggable={false} />
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a frame over a picture */}
      <div
        className={classes.frame}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
        tabIndex={0}
        aria-label={text('form.cropFrame', { ...shown })}
        style={{
          left: share(shown.left, size.width),
          top: share(shown.top, size.height),
          width: share(shown.width, size.width),
          height: share(shown.height, size.height),
        }}
        onKeyDown={onKeyDown}
      >
        {CORNERS.map(corner => (
          <span key={corner} className={classes.corner} data-corner={corner} />
        ))}
      </div>
    </div>
  )
}
