/** Files that a form names by their addresses: https://gotenberg.dev/docs/webhook-download/download-from */
import { globalLimits } from '../../../convert/catalogue/converter.ts'
import { urlRefused } from '../../../work/intake/fetch/refusals.ts'
import type { UploadedFile } from '../../../work/intake/upload.ts'
import { type Call, unknownValue } from '../conversion.ts'
import type { Fields } from './fields.ts'

/**
 * @param held deletes them in the end
 * @throws RequestError url_fetch.* as `POST /convert` does of an address, whose setting and guests hold here, too
 */
export async function downloaded(
  { request, services, signal }: Call,
  fields: Fields,
  held: AsyncDisposableStack,
): Promise<UploadedFile[]> {
  const wanted = addressesIn(fields.get('downloadFrom') || '[]')
  if (wanted.length === 0) return []
  const { config, fetcher } = services
  const { accountId, guest } = request.caller
  if (guest) throw urlRefused('url_fetch.guest_not_allowed')
  let maxBytes = config.maxFileBytes
  const files: UploadedFile[] = []
  // One after another: an account has no more than its share of fetches.
  for (const url of wanted) {
    const file = held.use(await fetcher.fetch({ url, accountId, format: undefined, maxBytes, signal }))
    files.push(file)
    maxBytes -= file.bytes
  }
  return files
}

/** Headers of their own are none that a stranger may have this service send. */
function addressesIn(text: string): string[] {
  try {
    const list = JSON.parse(text) as { url: string; extraHttpHeaders?: unknown }[]
    const isFair = list.length <= globalLimits.batchFiles && !list.some(each => each.extraHttpHeaders)
    if (isFair) return list.map(({ url }) => String(url))
  } catch {
    // Told as below.
  }
  throw unknownValue('downloadFrom', text)
}
