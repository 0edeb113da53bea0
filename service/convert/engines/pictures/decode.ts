/** Reads a picture of any format: those of jobs, and those within documents, books and comics. */
import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'
import { type PictureKind, pictureKind, readHead } from '../../../shared/picture-signatures.ts'
import { ownValue } from '../common/own-value.ts'
import type { Pixels } from './pixels.ts'
import { type Encoded, openPicture } from './sharp/picture.ts'

interface Source {
  file: Buffer
  /** Where the file is, if it need not be read for that. */
  path?: string | undefined
  /** Called with what had to be left out. */
  warn: (warning: Message) => void
}

/** A picture as pixels, or as a file that sharp reads like them. */
type Reader = (source: Source) => Promise<Pixels | Encoded>

const encoded: Reader = async ({ file, path }) => ({ encoded: path ?? file })

const byMagick =
  (format: 'dds' | 'jp2' | 'jxl' | 'qoi' | 'tga'): Reader =>
  async ({ file }) =>
    (await import('./magick/read.ts')).readPicture(file, format)

const avif: Reader = async ({ file, path }) => (await import('./avif/still.ts')).readStill(file, path)

const raw: Reader = async ({ file, path, warn }) =>
  (await import('./libraw/index.ts')).developRaw(file, path!, warn)

const readers = {
  avif,
  bmp: async ({ file, warn }) => {
    const { pixels, complete } = (await import('./bmp/read.ts')).readBmp(file)
    if (!complete) warn(message('picture.damaged'))
    return pixels
  },
  cr2: raw,
  cr3: raw,
  dds: source =>
    byMagick('dds')(source).catch(async error => {
      if (!source.path || !(error instanceof JobFailure) || error.code !== 'jobs.unsupported_input')
        throw error
      return (await import('./exr/read.ts')).readTexture(source.path).catch(() => {
        throw error
      })
    }),
  exr: async ({ path }) => (await import('./exr/read.ts')).readExr(path!),
  gif: encoded,
  hdr: async ({ file }) => (await import('./hdr/read.ts')).readHdr(file),
  heic: async source => {
    const { decodeHeif } = await import('./heif/index.ts')
    const pixels = await decodeHeif(source.file, {
      onDamage: () => source.warn(message('picture.damaged')),
    })
    return pixels ?? avif(source)
  },
  ico: async ({ file }) => (await import('./ico/read.ts')).readIcon(file).entries[0]!.read(),
  jp2: byMagick('jp2'),
  jpg: encoded,
  jxl: byMagick('jxl'),
  nef: raw,
  pict: async ({ file, warn }) => (await import('./pict/index.ts')).readPict(file, warn),
  png: encoded,
  psd: async ({ file, warn }) => (await import('./psd/index.ts')).readPsd(file, warn),
  qoi: byMagick('qoi'),
  raw,
  svg: async ({ file }) => (await import('./svg/index.ts')).drawPicture(file, SVG_EDGE),
  tga: byMagick('tga'),
  tiff: async ({ file, path = file }) => {
    try {
      const picture = await openPicture({ encoded: path, strict: true })
      await picture.open().stats()
      if (/^u(char|short)$/.test(picture.metadata.depth)) return { encoded: path }
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
    return (await import('./magick/read.ts')).readTiff(file)
  },
  webp: encoded,
} satisfies Partial<Record<PictureKind | 'cr2' | 'cr3' | 'exr' | 'nef' | 'raw' | 'tga', Reader>>

/** Longest edge of a rendered SVG document in pixels. */
const SVG_EDGE = 4000

/**
 * Reads the first picture of a file.
 * @param kind its format; by its content if absent
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function decodePicture(
  origin: string | Uint8Array,
  { kind, warn = () => {} }: { kind?: string; warn?: Source['warn'] } = {},
): Promise<Pixels | Encoded> {
  const path = typeof origin === 'string' ? origin : undefined
  const head =
    typeof origin === 'string'
      ? await readHead(origin)
      : Buffer.from(origin.buffer, origin.byteOffset, origin.byteLength)
  const read: Reader | undefined = ownValue(readers, kind ?? pictureKind(head) ?? '')
  if (!read) throw new JobFailure('jobs.unsupported_input')
  const file = path === undefined || read === encoded ? head : await readFile(path)
  return read({ file, path, warn })
}
