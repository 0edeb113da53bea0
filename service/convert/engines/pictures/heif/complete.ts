import { type Item, readItems } from './items.ts'
import { alphaOf } from './picture.ts'

/**
 * Whether all coded data of the primary picture are in a HEIF file, including its tiles and transparency. libheif
 * leaves missing parts black and reports success. A structure that cannot be read is left to the decoder and counts as
 * complete.
 */
export function isComplete(file: Uint8Array): boolean {
  try {
    const items = readItems(file)
    const needed = new Set<Item | undefined>([items.primary, alphaOf(items)])
    // A Set also iterates over elements that are added during the iteration.
    for (const item of needed)
      for (const id of item?.references.get('dimg') ?? []) needed.add(items.all.get(id))
    return needed.values().every(item => item === undefined || isReadable(() => items.data(item)))
  } catch {
    return true
  }
}

function isReadable(read: () => Uint8Array): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
