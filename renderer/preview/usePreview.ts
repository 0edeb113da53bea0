import { useEffect, useRef, useState } from 'react'
import type { Preview, ViewedFile } from '../../service/web/app/types.ts'
import { previews } from './client.ts'
import { LatestPreview, type PreviewState } from './latest.ts'

/** How long options must stay unchanged before a conversion is requested: short for a draft, long if a draft shows nearly the same. */
const PAUSE_MS = { short: 50, usual: 300, long: 800 }

const NOTHING: PreviewState = { preview: null, isLoading: false, error: null }

/**
 * A preview that follows the options.
 * @param target request key; null shows the file alone
 * @param result id of a finished job, whose output is compared instead
 */
export function usePreview(
  { kind, id }: ViewedFile,
  target: string | null,
  options: Record<string, unknown>,
  result: string | null,
): PreviewState {
  const [state, setState] = useState<PreviewState>(NOTHING)
  const shownNow = useRef(state)
  shownNow.current = state
  const latest = useRef<{ asks: LatestPreview; shown: string; options: string }>(null)
  // Options are compared by content, since the objects are recreated at every change.
  const wanted = JSON.stringify(options)
  useEffect(() => {
    latest.current ??= {
      shown: '',
      options: '',
      asks: new LatestPreview({
        notify: setState,
        pause: (run, pause) => {
          const timer = setTimeout(run, PAUSE_MS[pause])
          return () => clearTimeout(timer)
        },
      }),
    }
    const { asks, shown, options: before } = latest.current
    const subject = `${kind} ${id} ${target} ${result}`
    const isNew = shown !== subject
    if (isNew) asks.clear()
    latest.current.shown = subject
    latest.current.options = wanted
    const file = { kind, id }
    const conversion =
      target === null ? { file } : { file, targetFormat: target, options: JSON.parse(wanted) }
    const canDraft =
      !isNew && result === null && changesOnlyQuality(before, wanted) && takesLong(shownNow.current.preview)
    asks.ask(
      signal => (result === null ? previews.preview(conversion, signal) : previews.compare(result, signal)),
      isNew,
      canDraft ? signal => previews.preview({ ...conversion, isDraft: true }, signal) : undefined,
    )
  }, [kind, id, target, wanted, result])
  useEffect(
    () => () => {
      latest.current?.asks.end()
      latest.current = null
    },
    [],
  )
  return state
}

/** Another quality changes every pixel of a picture, and a smaller copy shows how. */
function changesOnlyQuality(before: string, after: string): boolean {
  if (before === '') return false
  const [a, b] = [before, after].map(options => ({ ...JSON.parse(options), quality: null }))
  return JSON.stringify(a) === JSON.stringify(b)
}

/** From this size on, a picture takes long enough to be shown as a draft first. */
const LARGE_PIXELS = 3_000_000

/** Whether a large picture became one of the same size. */
function takesLong(shown: Preview | null): boolean {
  const [before, after] = [shown?.before, shown?.after]
  if (before?.kind !== 'picture' || after?.kind !== 'picture') return false
  return (
    before.width === after.width &&
    before.height === after.height &&
    (before.width ?? 0) * (before.height ?? 0) >= LARGE_PIXELS
  )
}
