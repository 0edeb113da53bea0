import type { ThumbnailAnswer } from '../client.ts'

/** The URL of a picture for an `<img>`; null if there is none, undefined while unknown. */
export type ThumbnailUrl = string | null | undefined

/** Concurrent requests: browsers have six connections, and thumbnails are the least important use. */
const AT_ONCE = 2
/** Number of cached thumbnails: enough for the longest list, and some megabytes. */
const KEPT = 6000

/** What a thumbnail shows. */
interface Pictured {
  kind: string
  id: string
  page?: number | undefined
  at?: number | undefined
}

interface Wanted<File> {
  file: File
  listeners: Set<(shown: ThumbnailUrl) => void>
  abort: AbortController
  retry?: ReturnType<typeof setTimeout>
}

interface Deps<File> {
  client: { thumbnail(file: File, edge: number, signal: AbortSignal): Promise<ThumbnailAnswer> }
  /** Requested edge in pixels. */
  edge: number
  toUrl: (picture: Blob) => string
  freeUrl: (url: string) => void
}

/** Loads the thumbnails of visible rows, the most recently visible first, and caches them. */
export class Thumbnails<File extends Pictured> {
  readonly #deps: Deps<File>
  readonly #known = new Map<string, string | null>()
  readonly #wanted = new Map<string, Wanted<File>>()
  /** Keys of waiting thumbnails; the last one is next. */
  readonly #waiting: string[] = []
  #running = 0

  constructor(deps: Deps<File>) {
    this.#deps = deps
  }

  known(file: Pictured): ThumbnailUrl {
    return this.#known.get(keyOf(file))
  }

  /** Reports the thumbnail, now or later. @returns a function that stops watching */
  watch(file: File, listener: (shown: ThumbnailUrl) => void): () => void {
    const key = keyOf(file)
    const known = this.#known.get(key)
    if (known !== undefined) {
      listener(known)
      return () => {}
    }
    let wanted = this.#wanted.get(key)
    if (!wanted) {
      wanted = { file, listeners: new Set(), abort: new AbortController() }
      this.#wanted.set(key, wanted)
      this.#waiting.push(key)
    }
    wanted.listeners.add(listener)
    this.#next()
    return () => {
      wanted.listeners.delete(listener)
      if (wanted.listeners.size === 0) this.#abandon(key, wanted)
    }
  }

  #abandon(key: string, wanted: Wanted<File>): void {
    if (this.#wanted.get(key) !== wanted) return
    this.#wanted.delete(key)
    clearTimeout(wanted.retry)
    const index = this.#waiting.indexOf(key)
    if (index >= 0) this.#waiting.splice(index, 1)
    wanted.abort.abort()
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const key = this.#waiting.pop()
      const wanted = key === undefined ? undefined : this.#wanted.get(key)
      if (key === undefined || !wanted) return
      this.#running++
      void this.#load(key, wanted).finally(() => {
        this.#running--
        this.#next()
      })
    }
  }

  async #load(key: string, wanted: Wanted<File>): Promise<void> {
    const { client, edge, toUrl } = this.#deps
    try {
      const answer = await client.thumbnail(wanted.file, edge, wanted.abort.signal)
      if (this.#wanted.get(key) !== wanted) return
      if (answer.kind === 'later') {
        wanted.retry = setTimeout(() => {
          this.#waiting.unshift(key)
          this.#next()
        }, answer.seconds * 1000)
        return
      }
      this.#settle(key, wanted, answer.kind === 'picture' ? toUrl(answer.picture) : null)
    } catch {
      // The icon of the category is enough; a deleted file has no thumbnail.
      if (this.#wanted.get(key) === wanted) this.#settle(key, wanted, null)
    }
  }

  #settle(key: string, wanted: Wanted<File>, shown: string | null): void {
    this.#wanted.delete(key)
    this.#known.set(key, shown)
    const [oldest] = this.#known
    if (oldest && this.#known.size > KEPT) {
      this.#known.delete(oldest[0])
      if (oldest[1]) this.#deps.freeUrl(oldest[1])
    }
    for (const listener of wanted.listeners) listener(shown)
  }
}

const keyOf = ({ kind, id, page = 0, at = 0 }: Pictured): string => `${kind} ${id} ${page} ${at}`
