import { useEffect, useState } from 'react'
import { previews } from './client.ts'
import type { ResultSize } from './result-size.ts'

/** A pause while options change. */
const PAUSE_MS = 150

interface Wanted {
  /** Id of a staged file. */
  id: string
  target: string
  /** Options by a name that the size is given under. */
  variants: Readonly<Record<string, Record<string, unknown>>>
}

type Sizes = Readonly<Record<string, ResultSize>>

/** Sizes of what a conversion makes of a file with different options, one after another as they become known. */
export function useSizes(wanted: Wanted | null): Sizes {
  const [sizes, setSizes] = useState<{ of: string; known: Sizes }>({ of: '', known: {} })
  // Compared by content, since the objects are recreated at every change.
  const key = wanted ? JSON.stringify(wanted) : ''
  useEffect(() => {
    if (key === '') return
    const { id, target, variants } = JSON.parse(key) as Wanted
    const abort = new AbortController()
    const readAll = async () => {
      for (const [name, options] of Object.entries(variants)) {
        const request = { file: { kind: 'staged' as const, id }, targetFormat: target, options }
        const { bytes, isEstimate } = await previews.preview(request, abort.signal)
        if (abort.signal.aborted) return
        if (bytes !== null)
          setSizes(({ of, known }) => ({
            of: key,
            known: { ...(of === key ? known : {}), [name]: { bytes, isEstimate } },
          }))
      }
    }
    // Without sizes, the words can be chosen all the same.
    const timer = setTimeout(() => void readAll().catch(() => {}), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [key])
  return sizes.of === key ? sizes.known : none
}

const none: Sizes = {}
