/** Decodes names whose encoding the archive does not declare. */
import { isUtf8 } from 'node:buffer'
import { type Message, message } from '../../../shared/messages/message.ts'
import { type EncodingLabel, type NameEncoding, nameEncodings } from '../../../shared/names/encodings.ts'
import { decodeAs, likeliestEncoding, SAMPLE_BYTES } from '../common/encoding.ts'

export interface Decoder {
  /** Display name of the encoding. */
  encoding: string
  /** Whether the encoding was neither declared nor named, nor follows from the bytes. */
  isGuess: boolean
  decode(bytes: Uint8Array): string
}

/** What is known about an archive besides its names. */
export interface Origin {
  from: 'pcs' | 'unix'
  /** The encoding that the user has named. */
  encoding?: EncodingLabel | 'auto' | undefined
  /** The language of this machine, whose own encodings are the likeliest. */
  locale?: string
}

/** How much likelier the encodings of this machine's language are than others. */
const OWN = 8

const utf8: Decoder = {
  encoding: 'UTF-8',
  isGuess: false,
  decode: bytes => Buffer.from(bytes).toString(),
}

/** Decodes all names in an encoding; if it was guessed, single ones that are valid UTF-8 as such. */
const decoderOf = (label: EncodingLabel, isGuess: boolean): Decoder => ({
  encoding: nameEncodings[label].name,
  isGuess,
  decode: bytes => (isGuess && isUtf8(bytes) ? utf8.decode(bytes) : decodeAs(label, bytes)),
})

/**
 * How to decode an archive's names without a declared encoding: in the one that the user named, as UTF-8 if all are valid,
 * otherwise in the encoding that suits all of them together best.
 */
export function decoderFor(
  names: Iterable<Uint8Array>,
  { from, encoding: wanted = 'auto', locale = new Intl.DateTimeFormat().resolvedOptions().locale }: Origin,
): Decoder {
  if (wanted !== 'auto') return decoderOf(wanted, false)
  const foreign: Uint8Array[] = []
  let bytes = 0
  for (const name of names) {
    if (isUtf8(name)) continue
    foreign.push(name, Buffer.from('\n'))
    bytes += name.length + 1
    if (bytes > SAMPLE_BYTES) break
  }
  if (foreign.length === 0) return utf8
  const sample = Buffer.concat(foreign)
  const language = locale.split(/[-_.]/)[0]!.toLowerCase()
  const likeliest = likeliestEncoding(sample, label => {
    const { locales, [from]: weight }: NameEncoding = nameEncodings[label]
    return weight * (locales.split(' ').includes(language) ? OWN : 1)
  })
  return decoderOf(likeliest ?? (from === 'pcs' ? 'cp437' : 'windows1252'), true)
}

/** Warns that the encoding of names was guessed. */
export const namesWarning = ({ encoding }: Decoder): Message => message('archive.names_decoded', { encoding })
