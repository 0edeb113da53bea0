import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type PicturedPage, previews } from '../client.ts'
import { drawThumbnail } from './drawn.ts'
import { CategoryIcon } from './icons.tsx'
import classes from './Thumbnail.module.css'
import { Thumbnails, type ThumbnailUrl } from './thumbnails.ts'

/** Edge in CSS pixels. */
const EDGE = 48

const common = {
  edge: devicePixelRatio > 1 ? 2 * EDGE : EDGE,
  toUrl: (picture: Blob) => URL.createObjectURL(picture),
  freeUrl: (url: string) => URL.revokeObjectURL(url),
}

const thumbnails = new Thumbnails<PicturedPage>({ ...common, client: previews })
/** Those that show the page itself. */
const pictures = new Thumbnails<PicturedPage>({
  ...common,
  client: { thumbnail: (file, _, signal) => previews.picture(file, signal) },
})

/** A file that has just been added, by a name that is its own in this page. */
interface AddedFile {
  id: string
  read: () => File | undefined
}

/** Those that the browser draws, before the service has the files and in place of asking it. */
const drawn = new Thumbnails<AddedFile & { kind: 'added' }>({
  ...common,
  client: { thumbnail: ({ read }, edge) => drawThumbnail(read(), edge) },
})

/** Distance in CSS pixels from the visible area at which thumbnails are loaded. */
const MARGIN = '200px'

interface Props {
  /** Null before the service has it. */
  of: PicturedPage | null
  /** The same file as it was added in this page. */
  added?: AddedFile
  category: string | null
  /** Whether it shows what a thumbnail is too small for. */
  isLarge?: boolean
  /** The placeholder; by default the icon of the category. */
  children?: ReactNode
}

/** A thumbnail of 48 pixels beside the name of a file, or a larger picture; the icon of its category until it is loaded, or if there is none. */
export function Thumbnail({ of, added, category, isLarge = false, children }: Props) {
  const store = isLarge ? pictures : thumbnails
  const frame = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState<ThumbnailUrl>(() => knownOf(store, of, added))
  const { kind, id, page, at } = of ?? {}
  const addedId = added?.id
  const read = useRef(added?.read)
  read.current = added?.read
  useEffect(() => {
    const file = kind && id ? { kind, id, page, at } : null
    const own = addedId === undefined ? undefined : { id: addedId, read: () => read.current?.() }
    const known = knownOf(store, file, own)
    setShown(known)
    if (known !== undefined || !frame.current) return
    const watch = () => {
      if (file) return store.watch(file, setShown)
      return own ? drawn.watch({ kind: 'added', ...own }, setShown) : () => {}
    }
    let stop = () => {}
    const observer = new IntersectionObserver(
      entries => {
        stop()
        if (entries.some(({ isIntersecting }) => isIntersecting)) stop = watch()
      },
      { rootMargin: MARGIN },
    )
    observer.observe(frame.current)
    return () => {
      observer.disconnect()
      stop()
    }
  }, [store, kind, id, page, at, addedId])
  return (
    <span
      ref={frame}
      className={classes.frame}
      data-large={isLarge || undefined}
      data-category={category ?? undefined}
    >
      {shown ? (
        <img className={classes.picture} src={shown} alt="" />
      ) : (
        (children ?? <CategoryIcon category={category} size={24} />)
      )}
    </span>
  )
}

/** What is known of a file; what the browser could not draw, the service is asked for. */
function knownOf(
  store: typeof thumbnails,
  of: PicturedPage | null,
  added: AddedFile | undefined,
): ThumbnailUrl {
  const own = added && drawn.known({ kind: 'added', id: added.id })
  if (own || !of) return own
  return store.known(of)
}
