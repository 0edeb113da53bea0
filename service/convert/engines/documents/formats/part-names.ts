/** Repacks Office files: with the names their parts should have, since some programs write them as Windows does, or with other parts. */
import { unzipSync, zipSync } from 'fflate'
import { ZipError } from '../../archives/zip.ts'

/** The name of a part as ECMA-376 part 2 requires it, without its first slash. */
export const partName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\[content_types\]\.xml$/i, '[Content_Types].xml')

/**
 * Repacks a file so that its parts have the right names. Check its sizes first, since it is unpacked in memory.
 * @throws ZipError
 */
export const withPartNames = (file: Uint8Array): Buffer =>
  repacked(file, (name, content) => [partName(name), content])

/** Repacks a file with other content of some parts, under the same conditions. @throws ZipError */
export const withParts = (file: Uint8Array, parts: ReadonlyMap<string, Uint8Array>): Buffer =>
  repacked(file, (name, content) => [name, parts.get(name) ?? content])

/** Repacks a file with parts that are named or filled otherwise, under the same conditions. @throws ZipError */
export function repacked(
  file: Uint8Array,
  change: (name: string, content: Uint8Array) => [string, Uint8Array],
): Buffer {
  try {
    const parts = Object.entries(unzipSync(file)).map(([name, content]) => change(name, content))
    return Buffer.from(zipSync(Object.fromEntries(parts), { level: 1 }))
  } catch (cause) {
    throw new ZipError('damaged', { cause })
  }
}
