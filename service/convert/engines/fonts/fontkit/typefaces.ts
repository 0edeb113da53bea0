import { create, type Font, openSync } from 'fontkit'

/** Opens a font file, or the first font of a collection; undefined if it cannot be read. */
export function openTypeface(file: string | Buffer): Font | undefined {
  try {
    const opened = typeof file === 'string' ? openSync(file) : (create(file) as Font)
    return 'fonts' in opened ? opened.fonts[0] : opened
  } catch {
    // An unreadable system font is treated as missing.
    return undefined
  }
}
