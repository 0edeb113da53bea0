import { parse } from 'content-disposition'
import { type FormatKey, formats, splitName } from '../../../convert/catalogue/formats.ts'
import { cleanName } from '../../../shared/names/names.ts'

/**
 * The name of a fetched file: from the Content-Disposition header (RFC 6266, RFC 8187), otherwise the last part of the
 * URL's path, preferring the requested URL to the ones it redirected to.
 * @param urls the requested URL and the final one
 * @returns undefined if none of them names a file
 */
export function fileNameOf(headers: Headers, urls: readonly string[]): string | undefined {
  const found = nameInHeader(headers.get('content-disposition')) ?? urls.map(nameInPath).find(Boolean)
  return found === undefined ? undefined : cleanName(found)
}

/**
 * Appends the suffix of the declared format if the name has none of its own, so that `photo.php?id=3` is treated as the
 * picture that the caller says it is.
 */
export function withSuffix(name: string, format: FormatKey): string {
  const [suffix] = formats[format].suffixes
  return suffix === undefined || splitName(name).format !== undefined ? name : `${name}.${suffix}`
}

/** The name in a Content-Disposition header; undefined if there is none. */
export function nameInHeader(header: string | null): string | undefined {
  if (header === null) return undefined
  // Many servers send names as raw UTF-8; fetch exposes the bytes as Latin-1.
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString('utf8').includes('\ufffd') ? header : bytes.toString('utf8')
  return parse(text).parameters.filename?.trim() || undefined
}

function nameInPath(url: string): string | undefined {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || undefined
  } catch {
    return last || undefined
  }
}
