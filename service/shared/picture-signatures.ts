/** Recognises pictures by the start of their files, whatever their names. */

import { open } from 'node:fs/promises'

/** How many bytes at the start of a file are enough to identify its format. */
export const HEAD_BYTES = 4096

export async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Brands of an ISO base media file (ISO/IEC 14496-12, box `ftyp`): the major one and the compatible ones. */
export function brandsOf(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const found = [head.toString('latin1', 8, 12)]
  // HEIF with one short box for everything (ISO/IEC 23008-12, `mini`) names its coding in place of a version.
  for (let at = found[0] === 'mif3' ? 12 : 16; at + 4 <= end; at += 4)
    found.push(head.toString('latin1', at, at + 4))
  return found
}

const starting =
  (...signatures: string[]) =>
  (head: Buffer) =>
    signatures.some(signature => head.toString('latin1', 0, signature.length) === signature)

const branded = (brands: RegExp) => (head: Buffer) => brandsOf(head).some(brand => brands.test(brand))

/** The head as text, without byte order mark. */
export const headText = (head: Buffer): string => head.toString('utf8').replace(/^\uFEFF/, '')

function isSvg(head: Buffer): boolean {
  const text = headText(head)
  return /^\s*</.test(text) && /<([\w-]+:)?svg[\s>]/.test(text) && !/<html/i.test(text)
}

/** PICT has no magic number, but its version opcode follows size and frame, after an optional 512-byte header. */
const isPict = (head: Buffer): boolean =>
  [0, 512].some(start => {
    if (head.length < start + 14) return false
    const opcode = head.readUInt32BE(start + 10)
    return opcode === 0x0011_02ff || opcode >>> 16 === 0x1101
  })

export const isTiff = starting('II*\0', 'II+\0', 'MM\0*', 'MM\0+')

const SIGNATURES = {
  png: starting('\x89PNG\r\n\x1a\n'),
  jpg: starting('\xff\xd8\xff'),
  gif: starting('GIF87a', 'GIF89a'),
  webp: head => starting('RIFF')(head) && starting('WEBP')(head.subarray(8)),
  avif: branded(/^avi[fs]$/),
  heic: branded(/^(hei[cxms]|hev[cx]|mif1|msf1)$/),
  jxl: starting('\xff\n', '\0\0\0\fJXL '),
  jp2: starting('\xffO\xffQ', '\0\0\0\fjP  '),
  qoi: starting('qoif'),
  exr: starting('v/1\x01'),
  hdr: starting('#?RADIANCE', '#?RGBE'),
  dds: starting('DDS '),
  psd: starting('8BPS'),
  tiff: isTiff,
  bmp: head => head.length > 26 && starting('BM')(head),
  ico: head => head.length > 22 && starting('\0\0\x01\0')(head),
  // Those that other files may look like come last.
  svg: isSvg,
  pict: isPict,
} satisfies Record<string, (head: Buffer) => boolean>

export type PictureKind = keyof typeof SIGNATURES

/** Signatures of pictures, those that other files may look like last. */
export const pictureSignatures = Object.entries(SIGNATURES) as [PictureKind, (head: Buffer) => boolean][]

/** The format of a picture, by its file or the start of it; undefined of anything else, and of formats without a signature. */
export function pictureKind(file: Buffer): PictureKind | undefined {
  const head = file.subarray(0, HEAD_BYTES)
  return pictureSignatures.find(([, matches]) => matches(head))?.[0]
}
