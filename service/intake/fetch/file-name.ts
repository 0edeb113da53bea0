import { parse } from 'content-disposition'
import { type FormatKey, formats, splitName } from '../../catalogue/formats.ts'
import { cleanName } from '../../names/names.ts'

/**
 * What a fetched file is called: by the Content-Disposition header (RFC 6266, RFC 8187), else by the last part of the URL's
 * path, of the address that was asked for before those it redirected to.
 * @param urls the address asked for, and where it led
 * @returns undefined when none of them names a file
 */
export function fileNameOf(headers: Headers, urls: readonly string[]): string | undefined {
  const found = nameInHeader(headers.get('content-disposition')) ?? urls.map(nameInPath).find(Boolean)
  return found === undefined ? undefined : cleanName(found)
}

/**
 * The name with the suffix of its format where it has none of its own, so that `photo.php?id=3` is taken as the picture that
 * the caller says it is.
 */
export function withSuffix(name: string, format: FormatKey): string {
  const [suffix] = formats[format].suffixes
  return suffix === undefined || splitName(name).format !== undefined ? name : `${name}.${suffix}`
}

function nameInHeader(header: string | null): string | undefined {
  if (header === null) return undefined
  // Servers that send names as raw UTF-8 are common; fetch shows its bytes as Latin-1.
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
