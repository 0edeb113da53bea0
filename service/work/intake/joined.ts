import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Member, toPages, writeBundle } from '../../convert/catalogue/bundle.ts'
import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { splitName } from '../../convert/catalogue/formats.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { guid } from '../../store/interfaces/ids.ts'
import { identify } from './identify.ts'
import type { UploadedFile } from './upload.ts'

/** A file to join: its format as far as it is known, and its content. */
export type Part = Omit<Member, 'format'> & {
  format: string | null | undefined
} & Pick<Parameters<typeof writeBundle>[1][number], 'open'>

/** An uploaded file as a part. */
export const uploadedPart = async ({ path, name, bytes }: UploadedFile): Promise<Part> => ({
  name,
  bytes,
  format: await identify(path, name),
  open: async () => createReadStream(path),
})

/**
 * Several files as one, the input of a job that joins them. Disposing deletes it unless somebody has taken it over.
 * @throws RequestError request.invalid_extension if a file cannot become pages
 */
export async function joinedFile(
  { catalogue, incoming }: { catalogue: Catalogue; incoming: string },
  parts: readonly Part[],
): Promise<UploadedFile & AsyncDisposable> {
  const known = parts.map(({ format, ...part }) => {
    if (format && toPages(catalogue, format)) return { ...part, format }
    throw new RequestError('request.invalid_extension', message('request.not_pages', { name: part.name }))
  })
  const path = join(incoming, guid())
  const discard = () => rm(path, { force: true })
  try {
    await writeBundle(path, known)
    const { size } = await stat(path)
    return { path, name: nameOf(known), bytes: size, format: 'files', [Symbol.asyncDispose]: discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Named after the first file and how many follow, without a dot, which would begin a suffix. */
function nameOf([first, ...others]: readonly Member[]): string {
  const stem = splitName(first?.name ?? '').stem.replaceAll('.', '_')
  return others.length > 0 ? `${stem} +${others.length}` : stem
}
