import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { OptionField } from '../../../service/convert/catalogue/options.ts'
import { text } from '../../messages/text.ts'
import { enumLabel } from '../schema.ts'
import type { Size } from '../size.ts'
import classes from './CropFrame.module.css'
import { afterKey, type CropArea, moved, resized, shareOf } from './frame.ts'

interface Props {
  /** Address of the upright picture, of any size. */
  url: string
  /** Its true size. */
  size: Size
  frame: CropArea
  /** Width divided by height, if the proportions are fixed. */
  ratio: number | undefined
  /** The option whose values and their names are the corners and edges by which it is resized, and the middle. */
  places: OptionField
  onChange: (frame: CropArea) => void
}

/** Height of the picture in CSS pixels, at most. */
const HIGHEST = 320

/** A picture with a frame around what is kept, which is moved and resized by pointer and keys. Directions are those of the picture. */
export function CropFrame({ url, size, frame, ratio, places, onChange }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<CropArea | null>(null)
  const drag = useRef<{ handle: string | undefined; from: CropArea; x: number; y: number }>(null)
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
    const { handle } = (event.target as HTMLElement).dataset
    drag.current = { handle, from: frame, ...placeOf(event) }
    stage.current?.querySelector<HTMLElement>(handle ? `[data-handle="${handle}"]` : '[tabindex]')?.focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag.current) return
    const { handle, from, x, y } = drag.current
    const at = placeOf(event)
    setDragged(handle ? resized(from, handle, at, size, ratio) : moved(from, at.x - x, at.y - y, size))
  }
  const onPointerUp = () => {
    if (dragged) onChange(dragged)
    drag.current = null
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { handle } = (event.target as HTMLElement).dataset
    const next = afterKey(event, frame, handle, size, ratio)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onChange(next)
  }
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  const place = {
    left: share(shown.left, size.width),
    top: share(shown.top, size.height),
    width: share(shown.width, size.width),
    height: share(shown.height, size.height),
  }
  const words = text('form.cropFrame', { ...shown })
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
      <div className={classes.picture}>
        <img src={url} alt="" draggable={false} />
        <span className={classes.kept} style={place} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a frame over a picture */}
      <div
        className={classes.frame}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
        tabIndex={0}
        aria-label={words}
        aria-description={text('form.cropKeys')}
        style={place}
        onKeyDown={onKeyDown}
      >
        {places.enum?.map(handle => {
          if (handle === 'center') return null
          const [across, down] = shareOf(handle)
          const isUpright = across === 0.5
          // Such as `nw-resize`.
          const cursor = `${handle.replaceAll(/orth|outh|ast|est/g, '')}-resize`
          return (
            <span
              key={handle}
              className={classes.handle}
              data-handle={handle}
              role="slider"
              tabIndex={0}
              aria-label={enumLabel(places, handle)}
              style={{ cursor, ...({ '--across': across, '--down': down } as CSSProperties) }}
              aria-orientation={isUpright ? 'vertical' : 'horizontal'}
              aria-valuemin={0}
              aria-valuemax={isUpright ? size.height : size.width}
              aria-valuenow={isUpright ? shown.top + down * shown.height : shown.left + across * shown.width}
              aria-valuetext={words}
            />
          )
        })}
      </div>
    </div>
  )
}
