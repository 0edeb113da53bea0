import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bundle, type BundleFile, joinedBy, writeBundle } from '../../convert/catalogue/bundle.ts'
import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { splitName } from '../../convert/catalogue/formats.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { guid } from '../../store/interfaces/ids.ts'
import { identify } from './identify.ts'
import { measure, type Waiter } from './measure.ts'
import type { UploadedFile } from './upload.ts'

/** A file to join: its format as far as it is known, and its content. */
export type JoinInput = Omit<BundleFile, 'format'> & {
  format: string | null | undefined
} & Pick<Parameters<typeof writeBundle>[1][number], 'open'>

interface Places {
  catalogue: Catalogue
  pool: WorkerPool
  incoming: string
}

/** Uploaded files as parts of such a bundle. */
export const uploadedParts = (
  places: Places,
  bundle: Bundle,
  files: readonly UploadedFile[],
  waiter: Waiter,
): Promise<JoinInput[]> =>
  Promise.all(
    files.map(async file => {
      const format = await identify(file.path, file.name)
      const converter = format && joinedBy(places.catalogue, bundle, format)
      const isMeasured = format && converter?.costing.strategy === 'PerMinute'
      const input = { ...file, stem: splitName(file.name).stem, format: format ?? '' }
      const measured = isMeasured ? await measure(places.pool, converter, input, waiter) : null
      return {
        ...{ name: file.name, bytes: file.bytes, format, minutes: measured?.measure.minutes },
        open: async () => createReadStream(file.path),
      }
    }),
  )

/** What files can be joined into: pages or a video if all of them can, otherwise a media file if one can. */
export function bundleOf(catalogue: Catalogue, parts: readonly JoinInput[]): Bundle {
  const canBe = (bundle: Bundle) => (part: JoinInput) =>
    part.format && joinedBy(catalogue, bundle, part.format)
  const whole = (['files', 'videos'] as const).find(bundle => parts.every(canBe(bundle)))
  return whole ?? (parts.some(canBe('recordings')) ? 'recordings' : 'files')
}

/**
 * Several files as one, the input of a job that joins them. Disposing deletes it unless somebody has taken it over.
 * @throws RequestError request.invalid_extension if a file is not of the kind that is joined
 */
export async function joinedFile(
  { catalogue, incoming }: Pick<Places, 'catalogue' | 'incoming'>,
  bundle: Bundle,
  parts: readonly JoinInput[],
): Promise<UploadedFile & AsyncDisposable> {
  const known = parts.map(({ format, ...part }) => {
    if (format && joinedBy(catalogue, bundle, format)) return { ...part, format }
    throw new RequestError('request.invalid_extension', message(refusals[bundle], { name: part.name }))
  })
  const path = join(incoming, guid())
  const discard = () => rm(path, { force: true })
  try {
    await writeBundle(path, known)
    const { size } = await stat(path)
    return { path, name: nameOf(known), bytes: size, format: bundle, [Symbol.asyncDispose]: discard }
  } catch (error) {
    await discard()
    throw error
  }
}

const refusals = {
  files: 'request.not_pages',
  videos: 'request.not_a_video',
  recordings: 'request.not_a_recording',
} as const

/** Named after the first file and how many follow, without a dot, which would begin a suffix. */
function nameOf([first, ...others]: readonly BundleFile[]): string {
  const stem = splitName(first?.name ?? '').stem.replaceAll('.', '_')
  return others.length > 0 ? `${stem} +${others.length}` : stem
}
