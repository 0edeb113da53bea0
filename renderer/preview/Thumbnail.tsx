import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ViewedFile } from '../../service/web/app/types.ts'
import { previews } from './client.ts'
import { CategoryIcon } from './icons.tsx'
import classes from './Thumbnail.module.css'
import { type Shown, Thumbnails } from './thumbnails.ts'

/** Edge in CSS pixels. */
const EDGE = 48

const thumbnails = new Thumbnails({
  client: previews,
  edge: devicePixelRatio > 1 ? 2 * EDGE : EDGE,
  toUrl: picture => URL.createObjectURL(picture),
  freeUrl: url => URL.revokeObjectURL(url),
})

/** Distance in CSS pixels from the visible area at which thumbnails are loaded. */
const MARGIN = '200px'

interface Props {
  of: ViewedFile
  category: string | null
  /** The placeholder; by default the icon of the category. */
  children?: ReactNode
}

/** A thumbnail of 48 pixels beside the name of a file; the icon of its category until it is loaded, or if there is none. */
export function Thumbnail({ of: { kind, id }, category, children }: Props) {
  const frame = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState<Shown>(() => thumbnails.known({ kind, id }))
  useEffect(() => {
    const file = { kind, id }
    setShown(thumbnails.known(file))
    if (thumbnails.known(file) !== undefined || !frame.current) return
    let stop = () => {}
    const observer = new IntersectionObserver(
      entries => {
        stop()
        if (entries.some(({ isIntersecting }) => isIntersecting)) stop = thumbnails.watch(file, setShown)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(frame.current)
    return () => {
      observer.disconnect()
      stop()
    }
  }, [kind, id])
  return (
    <span ref={frame} className={classes.frame} data-category={category ?? undefined}>
      {shown ? (
        <img className={classes.picture} src={shown} alt="" />
      ) : (
        (children ?? <CategoryIcon category={category} size={24} />)
      )}
    </span>
  )
}
