/** What a name becomes of which nothing is left. */
const FALLBACK = 'file'
/** Longest name that file systems take, in bytes of UTF-8. */
const NAME_BYTES = 255
/** Longest suffix that is kept when a name is cut; anything longer is a part of the name with a dot in it. */
const SUFFIX_BYTES = 20

/** Control characters, and what reorders or hides text: `photo‮gpj.exe` is shown as `photoexe.jpg`. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Characters that are not allowed in names on Windows; a colon leads to a drive or a hidden stream there. */
const FORBIDDEN = /[<>:"|?*]/g

/** Names that Windows keeps for devices, whatever their suffix: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[\s.]*(\.|$)/i

/** Dots and spaces around a name: it would be hidden on one system, and shortened on another. */
const EDGES = /^[\s.]+|[\s.]+$/g

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * A name that came from outside, as it may be shown, sent and stored: the last part of the path, of visible characters, at
 * most 255 bytes of UTF-8. It may hold characters that some disk does not take: see `portableName`.
 */
export function cleanName(name: string, fallback = FALLBACK): string {
  const last = name.split(/[\\/]+/).findLast(part => part !== '') ?? ''
  const visible = last.toWellFormed().replace(INVISIBLE, '').trim()
  return fit(visible).trim().replace(/^\.+$/, '') || fallback
}

/**
 * A name that is one plain file name on Windows, macOS and Linux alike, whatever `name` holds: no folder, no device, no
 * hidden file, no character that some disk refuses, at most 255 bytes of UTF-8.
 */
export function portableName(name: string, fallback = FALLBACK): string {
  const plain = cleanName(name, fallback).replace(FORBIDDEN, '_')
  const trimmed = plain.replace(EDGES, '')
  return fit(DEVICE.test(trimmed) ? `_${trimmed}` : trimmed).replace(EDGES, '') || fallback
}

/** A stem between two parts of a name that stay whole, cut so that all of it is short enough. */
export const nameAround = (before: string, stem: string, after: string): string =>
  before + cut(stem, NAME_BYTES - Buffer.byteLength(before + after)) + after

/**
 * The folders of a relative path as portable names, outermost first; steps such as `..` and `.` are left out.
 * @param path a file within a folder, with either kind of slash
 */
export function portableFolders(path: string): string[] {
  return path
    .split(/[\\/]/)
    .slice(0, -1)
    .filter(part => !/^[\s.]*$/.test(part))
    .map(part => portableName(part, '_'))
}

/** `photo.png` as `photo (2).png`, within the length of a name; number 1 is the name itself. */
export function numberedName(name: string, number: number): string {
  return number === 1 ? name : fit(name, ` (${number})`)
}

/** Tells apart what has one name: `a.png`, `a (2).png`, …, also where a disk does not know upper from lower case. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  /** The name itself, or the first numbered one that is free; it is taken from then on. */
  take(name: string): string {
    const first = fold(name)
    let unique = name
    let number = this.#numbers.get(first) ?? 1
    while (this.#taken.has(fold(unique))) unique = numberedName(name, ++number)
    this.#numbers.set(first, number)
    this.#taken.add(fold(unique))
    return unique
  }
}

/** Names that some disk takes for the same one fold to the same text. */
const fold = (name: string) => name.normalize('NFC').toLowerCase()

/** `name` with `insert` before its suffix, cut at a character so that all of it is short enough; the suffix stays. */
function fit(name: string, insert = ''): string {
  const dot = name.lastIndexOf('.')
  const splits = dot > 0 && Buffer.byteLength(name.slice(dot)) <= SUFFIX_BYTES
  const suffix = splits ? name.slice(dot) : ''
  const stem = splits ? name.slice(0, dot) : name
  return cut(stem, NAME_BYTES - Buffer.byteLength(insert + suffix)) + insert + suffix
}

/** As many whole characters from the start of a text as fit into a number of bytes. */
function cut(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  let bytes = 0
  for (const { segment, index } of characters.segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes <= limit) continue
    if (index > 0) return text.slice(0, index)
    // One character with hundreds of accents.
    break
  }
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit)).replace(/\ufffd$/, '')
}
