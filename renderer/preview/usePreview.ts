import { useEffect, useRef, useState } from 'react'
import type { ViewedFile } from '../../service/web/app/types.ts'
import { previews } from './client.ts'
import { LatestPreview, type PreviewState } from './latest.ts'

/** How long options must stay unchanged before a conversion is requested. */
const PAUSE_MS = 300

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
  const latest = useRef<{ asks: LatestPreview; shown: string }>(null)
  // Options are compared by content, since the objects are recreated at every change.
  const wanted = JSON.stringify(options)
  useEffect(() => {
    latest.current ??= {
      shown: '',
      asks: new LatestPreview({
        notify: setState,
        pause: run => {
          const timer = setTimeout(run, PAUSE_MS)
          return () => clearTimeout(timer)
        },
      }),
    }
    const { asks, shown } = latest.current
    const subject = `${kind} ${id} ${target} ${result}`
    const isNew = shown !== subject
    if (isNew) asks.clear()
    latest.current.shown = subject
    const file = { kind, id }
    asks.ask(
      signal =>
        result === null
          ? previews.preview(
              target === null ? { file } : { file, targetFormat: target, options: JSON.parse(wanted) },
              signal,
            )
          : previews.compare(result, signal),
      isNew,
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
