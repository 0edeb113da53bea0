import { readBmp } from '../../../engines/bmp/read.ts'
import type { Block, Inline, PictureUse, WordDocument } from '../../../engines/docx/model.ts'
import { PIXEL_LIMIT } from '../../../engines/limits.ts'
import { openPicture } from '../../../engines/sharp/picture.ts'
import { JobFailure } from '../../../errors.ts'

export interface DocumentPicture {
  /** File name, such as `image-1.png`. */
  name: string
  mime: string
  bytes: Uint8Array
  /** Whether it is a drawing of Windows (EMF, WMF), which few programs show. */
  isDrawing: boolean
}

/**
 * The pictures of a document by what refers to them; those that are not in the file or cannot be read have none.
 * @param keepsDrawings whether drawings of Windows are taken as they are
 */
export async function picturesOf(
  document: WordDocument,
  keepsDrawings: boolean,
): Promise<Map<string, DocumentPicture>> {
  const pictures = new Map<string, DocumentPicture>()
  const seen = new Set<string>()
  for (const { source } of picturesIn(document)) {
    if (!('file' in source) || seen.has(source.file)) continue
    seen.add(source.file)
    const bytes = document.file(source.file)
    if (!bytes) continue
    const drawing = keepsDrawings ? drawingSuffix(bytes) : undefined
    const read = drawing ? { mime: `image/${drawing}`, bytes } : await asWebPicture(bytes)
    if (read) {
      const name = `image-${pictures.size + 1}.${read.mime === 'image/jpeg' ? 'jpg' : read.mime.slice(6)}`
      pictures.set(source.file, { ...read, name, isDrawing: drawing !== undefined })
    }
  }
  return pictures
}

/** Where a document shows pictures, in its order. */
export function picturesIn(document: WordDocument): PictureUse[] {
  const found: PictureUse[] = []
  const inInline = (content: readonly Inline[]): void => {
    for (const part of content) {
      if (part.kind === 'picture') found.push(part.picture)
      else if (part.kind === 'link' || part.kind === 'reference') inInline(part.content)
    }
  }
  const inBlocks = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'heading' || block.kind === 'paragraph') inInline(block.content)
      else if (block.kind === 'quote') inBlocks(block.blocks)
      else if (block.kind === 'list') block.items.forEach(inBlocks)
      else if (block.kind === 'table')
        for (const row of block.rows) for (const cell of row.cells) inBlocks(cell.blocks)
    }
  }
  inBlocks(document.blocks)
  document.notes.forEach(inBlocks)
  return found
}

/** Of drawings of Windows, by how they begin: [MS-EMF] 2.3.4.2, [MS-WMF] 2.3.2.2 and 2.3.2.3. */
function drawingSuffix(bytes: Uint8Array): 'emf' | 'wmf' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 44)).toString('hex')
  if (head.startsWith('01000000') && head.endsWith(Buffer.from(' EMF').toString('hex'))) return 'emf'
  return /^(?:d7cdc69a|0[12]000900)/.test(head) ? 'wmf' : undefined
}

/** JPEG, PNG and GIF as they are; what else can be read becomes PNG; undefined for what cannot, such as EMF. */
async function asWebPicture(bytes: Uint8Array): Promise<Pick<DocumentPicture, 'mime' | 'bytes'> | undefined> {
  try {
    const isBmp = bytes[0] === 0x42 && bytes[1] === 0x4d
    const bitmap = isBmp ? readBmp(Buffer.from(bytes)) : { encoded: bytes }
    const picture = await openPicture('pixels' in bitmap ? bitmap.pixels : bitmap)
    const { format } = picture.metadata
    if (!isBmp && (format === 'jpeg' || format === 'png' || format === 'gif')) {
      return { mime: `image/${format}`, bytes }
    }
    if (picture.width * picture.height > PIXEL_LIMIT / 4) return undefined
    return { mime: 'image/png', bytes: await picture.open(true).toColourspace('srgb').png().toBuffer() }
  } catch (error) {
    if (error instanceof JobFailure || error instanceof Error) return undefined
    throw error
  }
}
