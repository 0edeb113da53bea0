import type { FormatKey } from '../../convert/catalogue/formats.ts'
import {
  brandsOf,
  headText,
  isTiff,
  type PictureKind,
  pictureSignatures,
} from '../../shared/picture-signatures.ts'

type Head = Buffer

const ascii = (head: Head, offset: number, text: string) =>
  head.length >= offset + text.length && head.toString('latin1', offset, offset + text.length) === text
const hex = (head: Head, bytes: string) =>
  head.subarray(0, bytes.length / 2).equals(Buffer.from(bytes, 'hex'))
const holds = (head: Head, text: string) => head.includes(text, 0, 'latin1')

const hasBrand = (head: Head, ...wanted: string[]) => brandsOf(head).some(brand => wanted.includes(brand))

/** The media types of its formats begin so. They are the content of the first entry, which is stored. */
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

const isZip = (head: Head) =>
  hex(head, '504b0304') ||
  hex(head, '504b0506') ||
  // An archive that was created for splitting but stayed in one piece.
  hex(head, '504b3030504b0304') ||
  hex(head, '504b0708504b0304')

/** A TAR file of Unix V7 has no magic number, only the checksum of its first header in octal. */
function isOldTar(head: Head): boolean {
  if (head.length < 512 || head[0] === 0) return false
  const digits = head.toString('latin1', 148, 156)
  if (!/^ *[0-7]+[ \0]+$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 0x20 : head[at]!
  return Number.parseInt(digits, 8) === sum
}

interface Signature {
  /**
   * Formats that such content can be, the likeliest first. Containers hold several; the file name decides among them.
   */
  formats: readonly FormatKey[]
  matches: (head: Head) => boolean
}

/** What other formats look like at their start. */
const VAGUE: readonly PictureKind[] = ['svg', 'pict']

/** What may begin as these pictures do: raw photos, and pages and notes with SVG in them. */
const ALIKE: Partial<Record<PictureKind, FormatKey[]>> = {
  tiff: ['tiff', 'nef', 'raw', 'cr2'],
  svg: ['svg', 'html', 'md'],
}

const pictures = (isWanted: (kind: PictureKind) => boolean): Signature[] =>
  pictureSignatures
    .filter(([kind]) => isWanted(kind))
    .map(([kind, matches]) => ({
      formats: ALIKE[kind] ?? [kind],
      matches,
    }))

/** Signatures of all formats that have one, special forms before the containers they are based on. */
const signatures: readonly Signature[] = [
  { formats: ['cr2', 'raw', 'tiff'], matches: head => isTiff(head) && ascii(head, 8, 'CR') },
  ...pictures(kind => !VAGUE.includes(kind)),
  {
    formats: ['wav'],
    matches: head => /^(RIFF|RF64|BW64)/.test(head.toString('latin1', 0, 4)) && ascii(head, 8, 'WAVE'),
  },
  { formats: ['avi'], matches: head => ascii(head, 0, 'RIFF') && ascii(head, 8, 'AVI ') },
  { formats: ['cr3'], matches: head => hasBrand(head, 'crx ') },
  { formats: ['mov', 'mp4', 'm4a', 'm4b', 'm4r'], matches: head => hasBrand(head, 'qt  ') },
  { formats: ['m4b', 'm4a', 'm4r', 'mp4'], matches: head => ascii(head, 8, 'M4B ') },
  { formats: ['m4a', 'm4b', 'm4r', 'mp4'], matches: head => ascii(head, 8, 'M4A ') },
  { formats: ['mp4', 'mov', 'm4a', 'm4b', 'm4r'], matches: head => ascii(head, 4, 'ftyp') },
  {
    formats: ['mov', 'mp4'],
    matches: head => /^(moov|mdat|wide|free|skip|pnot)$/.test(head.toString('latin1', 4, 8)),
  },
  {
    formats: ['raw'],
    matches: head =>
      ascii(head, 0, 'FUJIFILMCCD-RAW') ||
      hex(head, '49495500') ||
      hex(head, '4949524f') ||
      ascii(head, 0, 'FOVb') ||
      hex(head, '004d524d'),
  },
  { formats: ['emf'], matches: head => hex(head, '01000000') && ascii(head, 40, ' EMF') },
  { formats: ['wmf'], matches: head => hex(head, 'd7cdc69a') || hex(head, '010009000003') },
  { formats: ['pdf'], matches: head => head.subarray(0, 1024).includes('%PDF-') },
  { formats: ['rtf'], matches: head => ascii(head, 0, '{\\rtf') },
  // Encrypted files of the newer Office formats are wrapped in the container of the older ones.
  {
    formats: ['doc', 'docx', 'xlsx', 'pptx', 'xls', 'ppt', 'msg'],
    matches: head => hex(head, 'd0cf11e0a1b11ae1'),
  },
  { formats: ['epub'], matches: head => isZip(head) && holds(head, 'application/epub+zip') },
  { formats: ['odt'], matches: head => isZip(head) && holds(head, `${OPEN_DOCUMENT}.text`) },
  { formats: ['ods'], matches: head => isZip(head) && holds(head, `${OPEN_DOCUMENT}.spreadsheet`) },
  { formats: ['odg'], matches: head => isZip(head) && holds(head, `${OPEN_DOCUMENT}.graphics`) },
  { formats: ['odp'], matches: head => isZip(head) && holds(head, `${OPEN_DOCUMENT}.presentation`) },
  { formats: ['docx'], matches: head => isZip(head) && holds(head, 'word/') },
  { formats: ['xlsx'], matches: head => isZip(head) && holds(head, 'xl/') },
  { formats: ['pptx'], matches: head => isZip(head) && holds(head, 'ppt/') },
  {
    formats: ['pages', 'numbers', 'key'],
    matches: head => isZip(head) && ascii(head, 30, 'Index/') && holds(head, '.iwa'),
  },
  {
    formats: [
      ...(['zip', 'docx', 'xlsx', 'pptx', 'epub', 'lottie', 'odt', 'ods', 'odp', 'cbz', 'cbr'] as const),
      ...(['pages', 'numbers', 'key', 'textpack'] as const),
    ],
    matches: isZip,
  },
  { formats: ['7z'], matches: head => hex(head, '377abcaf271c') },
  { formats: ['rar', 'cbr', 'cbz'], matches: head => ascii(head, 0, 'Rar!\x1a\x07') },
  { formats: ['tar-gz', 'gz', 'tgs', 'lottie', 'svg', 'emf', 'wmf'], matches: head => hex(head, '1f8b') },
  { formats: ['tar-bz2', 'bz2'], matches: head => ascii(head, 0, 'BZh') },
  // Compressed archives often have the name of another compression.
  { formats: ['tar-xz', 'xz', 'tar-gz', 'tar-bz2', 'tar-zst'], matches: head => hex(head, 'fd377a585a00') },
  { formats: ['tar-zst', 'zst', 'tar-gz', 'tar-bz2', 'tar-xz'], matches: head => hex(head, '28b52ffd') },
  { formats: ['cab'], matches: head => ascii(head, 0, 'MSCF\0\0\0\0') },
  { formats: ['deb'], matches: head => ascii(head, 0, '!<arch>\n') && ascii(head, 8, 'debian-binary') },
  { formats: ['cpio'], matches: head => /^07070[127]/.test(head.toString('latin1', 0, 6)) },
  { formats: ['tar'], matches: head => ascii(head, 257, 'ustar') },
  { formats: ['flac'], matches: head => ascii(head, 0, 'fLaC') },
  {
    formats: ['opus', 'ogg'],
    matches: head => ascii(head, 0, 'OggS') && holds(head.subarray(0, 128), 'OpusHead'),
  },
  // Videos, too, were once named after the container.
  { formats: ['ogv'], matches: head => ascii(head, 0, 'OggS') && holds(head, '\x80theora') },
  { formats: ['ogg', 'opus'], matches: head => ascii(head, 0, 'OggS') },
  {
    formats: ['webm', 'weba', 'mkv', 'mka'],
    matches: head => hex(head, '1a45dfa3') && holds(head.subarray(0, 128), 'webm'),
  },
  { formats: ['mkv', 'mka', 'webm', 'weba'], matches: head => hex(head, '1a45dfa3') },
  { formats: ['wma', 'wmv'], matches: head => hex(head, '3026b2758e66cf11') },
  { formats: ['flv'], matches: head => ascii(head, 0, 'FLV\x01') },
  { formats: ['vobsub', 'mpg'], matches: isVobSub },
  { formats: ['mpg'], matches: head => hex(head, '000001ba') || hex(head, '000001b3') },
  { formats: ['ts'], matches: isTransportStream },
  {
    formats: ['aiff'],
    matches: head => ascii(head, 0, 'FORM') && /^AIF[FC]$/.test(head.toString('latin1', 8, 12)),
  },
  { formats: ['caf'], matches: head => ascii(head, 0, 'caff') },
  { formats: ['wv'], matches: head => ascii(head, 0, 'wvpk') },
  { formats: ['tta'], matches: head => ascii(head, 0, 'TTA') },
  { formats: ['dsf'], matches: head => ascii(head, 0, 'DSD ') },
  { formats: ['amr'], matches: head => ascii(head, 0, '#!AMR') },
  { formats: ['sup'], matches: head => ascii(head, 0, 'PG') && head[10]! >= 0x14 && head[10]! <= 0x17 },
  { formats: ['ac3'], matches: head => hex(head, '0b77') },
  { formats: ['paf'], matches: head => ascii(head, 0, ' paf') || ascii(head, 0, 'fap ') },
  { formats: ['mp3', 'aac', 'flac'], matches: head => ascii(head, 0, 'ID3') },
  // Frames of MPEG-2 AAC and of FLAC start alike.
  {
    formats: ['aac', 'flac'],
    matches: head => head.length > 7 && head[0] === 0xff && (head[1]! & 0xfe) === 0xf8,
  },
  { formats: ['aac'], matches: head => head.length > 7 && head[0] === 0xff && (head[1]! & 0xf6) === 0xf0 },
  { formats: ['aac'], matches: isLoas },
  { formats: ['mp3'], matches: head => head.length > 4 && head[0] === 0xff && (head[1]! & 0xe6) === 0xe2 },
  { formats: ['mobi', 'azw3'], matches: head => ascii(head, 60, 'BOOKMOBI') || ascii(head, 60, 'TEXtREAd') },
  { formats: ['woff'], matches: head => ascii(head, 0, 'wOFF') },
  { formats: ['woff2'], matches: head => ascii(head, 0, 'wOF2') },
  { formats: ['ttc'], matches: head => ascii(head, 0, 'ttcf') },
  { formats: ['otf', 'ttf'], matches: head => ascii(head, 0, 'OTTO') },
  { formats: ['ttf', 'otf'], matches: head => hex(head, '0001000000') || ascii(head, 0, 'true') },
  {
    formats: ['fb2'],
    matches: head => /^\s*</.test(headText(head)) && /<FictionBook[\s>]/.test(headText(head)),
  },
  { formats: ['ics'], matches: head => /^\s*BEGIN:VCALENDAR\b/i.test(headText(head)) },
  { formats: ['vcf'], matches: head => /^\s*BEGIN:VCARD\b/i.test(headText(head)) },
  { formats: ['microdvd'], matches: head => /^\s*\{\d+\}\{\d*\}/.test(headText(head)) },
  { formats: ['lottie'], matches: isLottie },
  ...pictures(kind => VAGUE.includes(kind)),
  { formats: ['tar'], matches: isOldTar },
]

/** Two frames of AAC in the multiplex of broadcasting, LOAS (ISO/IEC 14496-3, 1.7.2): 11 bits of sync, 13 of length. */
function isLoas(head: Head): boolean {
  const isFrame = (at: number) => at + 3 <= head.length && head.readUInt16BE(at) >>> 5 === 0x2b7
  return isFrame(0) && isFrame(3 + (head.readUIntBE(0, 3) & 0x1fff))
}

/** A pack (ISO/IEC 13818-1, 2.5.3) of private data with the number of subtitles of a DVD, where a film has its picture. */
function isVobSub(head: Head): boolean {
  return hex(head, '000001ba') && hex(head.subarray(14), '000001bd') && head[23 + head[22]!]! >> 5 === 1
}

/** Packets of 188 bytes (ISO/IEC 13818-1), with four bytes of time before each in files of cameras. */
function isTransportStream(head: Head): boolean {
  const isRow = (start: number, size: number) =>
    [0, 1, 2].every(packet => head[start + packet * size] === 0x47)
  return isRow(0, 188) || isRow(4, 192)
}

/** An animation has several of these properties, the first of which come early; other JSON may have one of them. */
function isLottie(head: Head): boolean {
  const text = headText(head)
  const found = new Set(Array.from(text.matchAll(/"(v|layers|ip|op|fr)"\s*:/g), ([, key]) => key))
  return /^\s*\{/.test(text) && found.size > 1
}

/** Formats that the content of a file can be, the likeliest first; empty if its start matches none. */
export function detectFormats(head: Buffer): readonly FormatKey[] {
  return signatures.find(signature => signature.matches(head))?.formats ?? []
}
