/** Names of the parts of an Office file. Some programs write them as Windows does, which Office reads and LibreOffice does not. */
import { unzipSync, zipSync } from 'fflate'
import { ZipError } from './zip.ts'

/** The name of a part as ECMA-376 part 2 requires it, without its first slash. */
export const partName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\[content_types\]\.xml$/i, '[Content_Types].xml')

/**
 * Repacks a file so that its parts have the right names. Check its sizes first, since it is unpacked in memory.
 * @throws ZipError
 */
export function withPartNames(file: Uint8Array): Uint8Array {
  try {
    const parts = Object.entries(unzipSync(file)).map(([name, content]) => [partName(name), content])
    return zipSync(Object.fromEntries(parts), { level: 1 })
  } catch (cause) {
    throw new ZipError('damaged', { cause })
  }
}
