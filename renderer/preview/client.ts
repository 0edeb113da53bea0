import type { NewPreview, Preview, ViewedFile } from '../../service/web/app/types.ts'
import { answerOf } from '../api/answer.ts'
import { addressed, send } from '../api/session.ts'

/** The service's answer for a thumbnail: the picture, that there is none, or the seconds after which to ask again. */
export type ThumbnailAnswer =
  | { kind: 'picture'; picture: Blob }
  | { kind: 'none' }
  | { kind: 'later'; seconds: number }

/** What a picture shows. */
export interface PicturedPage extends ViewedFile {
  /** Number of a page of a PDF, from 1. */
  page?: number | undefined
  /** Seconds from the beginning of a video. */
  at?: number | undefined
}

/** A side of a preview whose file the browser may request. */
const shown = (look: Preview['before']): Preview['before'] =>
  look && 'file' in look ? { ...look, file: addressed(look.file) } : look

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' }
const LATER_SECONDS = 2
/** The least of the option. */
const PAGE_DPI = 72
const FRAME_EDGE = 256

async function post(path: string, body: object, signal: AbortSignal): Promise<Preview> {
  const init = { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body), signal }
  const { before, after, ...figures }: Preview = await (await answerOf(send(path, init))).json()
  return { ...figures, before: shown(before), after: shown(after) }
}

/** The address of the content of an audio or video file, which the browser plays. */
export const mediaUrl = ({ kind, id }: ViewedFile): string =>
  addressed(`/app/preview/media/${kind}/${encodeURIComponent(id)}`)

/** The routes of previews, whose requests can be aborted. */
export const previews = {
  /** A thumbnail that fits into a square of this size in pixels. */
  async thumbnail({ kind, id }: ViewedFile, edge: number, signal: AbortSignal): Promise<ThumbnailAnswer> {
    const path = `/app/preview/thumbnail/${kind}/${encodeURIComponent(id)}?edge=${edge}`
    const response = await answerOf(send(path, { signal }))
    if (response.status === 200) return { kind: 'picture', picture: await response.blob() }
    if (response.status !== 202) return { kind: 'none' }
    return { kind: 'later', seconds: Number(response.headers.get('retry-after')) || LATER_SECONDS }
  },
  /** A larger picture of a file, of a page of a PDF, or of a frame of a video. */
  async picture({ page, at, ...file }: PicturedPage, signal: AbortSignal): Promise<ThumbnailAnswer> {
    const ofFrame = at !== undefined && { frames: { at }, resize: { value: FRAME_EDGE } }
    const options = ofFrame || (page && { pages: String(page), dpi: PAGE_DPI })
    const { before, after } = await previews.preview(
      { file, ...(options && { targetFormat: 'jpg', options }) },
      signal,
    )
    const look = after ?? before
    if (look?.kind !== 'picture') return { kind: 'none' }
    return { kind: 'picture', picture: new Blob([await previews.bytes(look.file, signal)]) }
  },
  /** A file, and the result of a quick conversion beside it. */
  preview: (wanted: NewPreview, signal: AbortSignal) => post('/app/preview', wanted, signal),
  /** The input of a job beside its output. */
  compare: (jobId: string, signal: AbortSignal) => post('/app/preview/compare', { jobId }, signal),
  /** The content of a file that a preview names. */
  bytes: async (path: string, signal: AbortSignal): Promise<ArrayBuffer> =>
    (await answerOf(send(path, { signal }))).arrayBuffer(),
}
