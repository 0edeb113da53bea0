import { decodePercent } from '../../common/addresses.ts'
import { type Document, type Inline, mapInline, mapRuns, type PictureUse, run } from '../model.ts'

/** Whether a picture is in the document's file. */
export const isInside = ({ source }: PictureUse): boolean => 'file' in source

/** Names pictures that are not there in their places. @returns how many they are */
export function withNames(
  document: Document,
  isThere: (use: PictureUse) => boolean,
): { document: Document; lost: number } {
  const lost = new Set<string>()
  const change = (content: Inline[]) =>
    mapInline(content, part => {
      if (part.kind !== 'picture' || isThere(part.picture)) return part
      const { source, description } = part.picture
      const address = 'address' in source ? source.address : source.file
      lost.add(address)
      const name = run(`[${description || ('address' in source && fileName(address)) || 'picture'}]`, {
        italic: true,
      })
      return /^https?:/i.test(address) ? { kind: 'link', address, content: [name] } : name
    })
  const notes = new Map(Array.from(document.notes, ([key, blocks]) => [key, mapRuns(blocks, change)]))
  return { document: { ...document, blocks: mapRuns(document.blocks, change), notes }, lost: lost.size }
}

const fileName = (address: string) => decodePercent(/([^/\\]*?)(?:[?#].*)?$/.exec(address)?.[1] ?? '')
