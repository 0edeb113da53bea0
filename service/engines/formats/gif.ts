const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b

/** Bytes of the colour table that a packed field announces. */
const tableBytes = (packed = 0) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)

/**
 * Whether a GIF file holds all its blocks (GIF89a specification). Decoders silently drop the frames after the place where
 * a file breaks off. Only the trailer may be missing.
 */
export function isWholeGif(file: Uint8Array): boolean {
  let at = 13 + tableBytes(file[10])
  while (at < file.length && file[at] !== TRAILER) {
    if (file[at] === EXTENSION) at += 2
    // An image has a place, a colour table, and the width of its codes before its data.
    else if (file[at] === IMAGE) at += 11 + tableBytes(file[at + 9])
    else return false
    for (let size = file[at]; size !== 0; size = file[at]) {
      if (size === undefined) return false
      at += 1 + size
    }
    at++
  }
  return at <= file.length
}
