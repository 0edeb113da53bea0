import { type Item, readItems } from './items.ts'
import { alphaOf } from './picture.ts'

/**
 * Whether all coded data of the primary picture lies in a HEIF file: its tiles and its transparency too. libheif
 * leaves black what is missing, and calls it a success. A structure that cannot be read is for the decoder to judge,
 * and counts as complete.
 */
export function isComplete(file: Uint8Array): boolean {
  try {
    const items = readItems(file)
    const needed = new Set<Item | undefined>([items.primary, alphaOf(items)])
    // A set hands out what is added to it while it is walked.
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
