/** Finds out quickly that a PDF has no layers and no comments, as most have none. */
import { inflateSync } from 'node:zlib'

/** Key of the catalogue without which a file has no layers (ISO 32000-1, 8.11.4.2), text on its pages, and glyphs whose names PDFium does not know. */
export const TO_READ = /\/OCProperties|\/FreeText|\/Differences\s*\[[^\]]*\/\w+[_.]\w/
/** Annotations that a viewer draws by itself if they have no appearance, or cannot draw (ISO 32000-2, table 171). */
export const COMMENTS =
  /\/Subtype\s*\/(Text|FreeText|Line|Square|Circle|Poly\w+|Highlight|Underline|Squiggly|StrikeOut|Stamp|Caret|Ink|FileAttachment|Sound|Movie|Screen|3D|RichMedia|Redact)\b/

/** Longest dictionary of an object stream that is examined. */
const DICTIONARY_BYTES = 4096
/** Maximum total size of unpacked object streams. */
const UNPACKED_BYTES = 64 * 2 ** 20

/**
 * Whether a file may have something: false only if neither its plain objects nor those in object streams
 * (ISO 32000-1, 7.5.7) name it. Streams that are packed in an unusual way may name it.
 * @param file a PDF that is not encrypted
 */
export function mayHave(file: Buffer, sign: RegExp): boolean {
  if (sign.test(file.toString('latin1'))) return true
  let budget = UNPACKED_BYTES
  for (let at = file.indexOf('/ObjStm'); at >= 0; at = file.indexOf('/ObjStm', at + 1)) {
    const objects = packedObjects(file, at, budget)
    if (!objects || sign.test(objects.toString('latin1'))) return true
    budget -= objects.length
  }
  return false
}

/**
 * Content of an object stream; nothing if it is not compressed, since the file then shows it.
 * @param at position of the type in its dictionary
 * @param budget most bytes to unpack
 * @returns undefined if it cannot be unpacked here
 */
function packedObjects(file: Buffer, at: number, budget: number): Buffer | undefined {
  const before = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
  const after = /^[\s\S]*?stream\r?\n/.exec(file.toString('latin1', at, at + DICTIONARY_BYTES))?.[0]
  if (after === undefined) return undefined
  const dictionary = before.slice(before.lastIndexOf(' obj')) + after
  if (!dictionary.includes('/Filter')) return Buffer.alloc(0)
  const filters = [...dictionary.matchAll(/\/(\w+Decode)\b/g)].map(([, filter]) => filter)
  if (filters.join() !== 'FlateDecode' || dictionary.includes('/DecodeParms')) return undefined
  try {
    return inflateSync(file.subarray(at + after.length), { maxOutputLength: Math.max(1, budget) })
  } catch {
    return undefined
  }
}
