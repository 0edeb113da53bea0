import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { type FormatKey, formatOfWord, splitName } from '../../convert/catalogue/formats.ts'
import { RequestError } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { readHead } from '../../shared/picture-signatures.ts'
import { detectFormats } from './signatures.ts'

/**
 * The format of a file by its name and content: the name decides among what the content can be, and the content decides
 * if the name contradicts it or is unknown. Undefined if neither is known.
 */
export async function identify(path: string, name: string): Promise<FormatKey | undefined> {
  const named = splitName(name).format
  const possible = detectFormats(await readHead(path))
  if (possible.length === 0) return named
  return named && possible.includes(named) ? named : possible[0]
}

/** What to give in place of a file of no known format, if its name tells. */
export const adviceOn = (name: string): Message | null =>
  splitName(name).suffix === 'idx' ? message('input.subtitle_index') : null

/**
 * The source format a request means: the explicit word if there is one, otherwise the file's own format.
 * @param file its name, and the format that `identify` found
 * @returns the word to look up in the catalogue, and the format of the content
 * @throws RequestError request.invalid_extension if the explicit source does not accept this file,
 * convert.unsupported_source_format if the format of the file is unknown
 */
export function sourceOf(
  catalogue: Catalogue,
  { name, format }: { name: string; format: FormatKey | undefined },
  explicit: string | undefined,
): { source: string; format: FormatKey } {
  const { suffix } = splitName(name)
  if (explicit === undefined) {
    if (format) return { source: format, format }
    throw new RequestError(
      'convert.unsupported_source_format',
      adviceOn(name) ??
        (suffix
          ? message('convert.unsupported_source_format', { source: suffix })
          : message('convert.unknown_source_format')),
      { context: { sourceFormat: suffix || null, supportedTargets: [] } },
    )
  }
  const source = catalogue.sourceOf(explicit)
  // An unknown word is refused with its own code when the pair is looked up.
  if (!source) return { source: explicit, format: format ?? formatOfWord(explicit) ?? 'zip' }
  const own = catalogue.edges.filter(edge => edge.source === source)
  const taken = new Set([source, ...own.flatMap(edge => edge.converter.sources)])
  if (format ? taken.has(format) : suffix === '') return { source, format: format ?? source }
  throw new RequestError(
    'request.invalid_extension',
    format
      ? message('request.invalid_extension', { name, source, content: format })
      : message('request.unknown_extension', { name, source, extension: suffix }),
    { context: { sourceFormat: source } },
  )
}
