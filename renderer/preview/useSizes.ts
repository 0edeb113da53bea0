import { useEffect, useState } from 'react'
import { previews } from './client.ts'

/** A pause while options change. */
const PAUSE_MS = 150

interface Wanted {
  /** Id of a staged file. */
  id: string
  target: string
  /** Options by a name that the size is given under. */
  variants: Readonly<Record<string, Record<string, unknown>>>
}

/**
 * Sizes in bytes of what a conversion makes of a file with different options, one after another as they become known. What was
 * only estimated is left out.
 */
export function useSizes(wanted: Wanted | null): Readonly<Record<string, number>> {
  const [sizes, setSizes] = useState<{ of: string; bytes: Record<string, number> }>({ of: '', bytes: {} })
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
        if (bytes !== null && !isEstimate)
          setSizes(known => ({ of: key, bytes: { ...(known.of === key ? known.bytes : {}), [name]: bytes } }))
      }
    }
    // Without sizes, the words can be chosen all the same.
    const timer = setTimeout(() => void readAll().catch(() => {}), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [key])
  return sizes.of === key ? sizes.bytes : none
}

const none = {}
