import { useEffect, useState } from 'react'
import type { ViewedFile } from '../../../service/web/app/types.ts'
import { previews } from '../client.ts'

/** The waveform of a whole media file; null until it is known, or if it is not available. */
export function useWholePeaks(file: ViewedFile | null): readonly number[] | null {
  const [peaks, setPeaks] = useState<readonly number[] | null>(null)
  const { kind, id } = file ?? {}
  useEffect(() => {
    setPeaks(null)
    if (kind === undefined || id === undefined) return
    const abort = new AbortController()
    previews.preview({ file: { kind, id } }, abort.signal).then(
      ({ before }) => abort.signal.aborted || setPeaks((before?.kind === 'sound' && before.whole) || null),
      // The times can be set without it.
      () => {},
    )
    return () => abort.abort()
  }, [kind, id])
  return peaks
}
