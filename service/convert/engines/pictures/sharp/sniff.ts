import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'

/** Kinds of files given to sharp, by content, whatever their name. */
export type RasterKind = 'avif' | 'gif' | 'heic' | 'jpg' | 'png' | 'tiff' | 'webp'

/** Recognises a picture by its first bytes. Nothing else may reach sharp, which would also read SVG. */
export function sniffKind(head: Buffer): RasterKind | undefined {
  const text = (start: number, end: number) => head.toString('latin1', start, end)
  if (text(0, 3) === '\xff\xd8\xff') return 'jpg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 4) === 'GIF8') return 'gif'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (/^(II[*+]\0|MM\0[*+])/.test(text(0, 4))) return 'tiff'
  if (text(4, 8) !== 'ftyp') return undefined
  const brands = text(8, Math.min(head.length, head.readUInt32BE(0)))
  if (/avi[fs]/.test(brands)) return 'avif'
  return /hei[cx]|hev[cx]|mif1|msf1/.test(brands) ? 'heic' : undefined
}

/** How many bytes are enough to recognise a picture. */
const HEAD_BYTES = 512

export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    return await readAt(file, 0, HEAD_BYTES)
  } finally {
    await file.close()
  }
}
