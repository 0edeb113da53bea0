import { cutUtf8 } from './cut-utf8.ts'

/** Replaces a name that has no valid characters. */
const FALLBACK = 'file'
/** Longest file name that file systems accept, in bytes of UTF-8. */
const NAME_BYTES = 255
/** Longest suffix that is kept when a name is shortened; anything longer is a name with a dot in it. */
const SUFFIX_BYTES = 20

/** Control characters, and those that reorder or hide text: `photo‮gpj.exe` is displayed as `photoexe.jpg`. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** A text without what no name may have. */
export const withoutInvisible = (text: string): string => text.toWellFormed().replace(INVISIBLE, '')

/** A text in which what a terminal would obey, or not show, is written as JSON writes it; line breaks stay. */
export const escapeInvisible = (text: string): string =>
  text.replace(INVISIBLE, found =>
    found === '\n'
      ? found
      : found.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** Characters that Windows does not allow in names; a colon refers to a drive or a hidden stream. */
const FORBIDDEN = /[<>:"|?*]/g

/**
 * Names that Windows reserves for devices, whatever their suffix: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[\s.]*(\.|$)/i

/** Dots and spaces at the ends of a name: one system would hide the file, another would trim the name. */
const EDGES = /^[\s.]+|[\s.]+$/g

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * A name from outside, made safe to show, send and store: the last part of the path, only visible characters, at most 255
 * bytes of UTF-8. It may contain characters that some disks do not accept: see `portableName`.
 */
export function cleanName(name: string, fallback = FALLBACK): string {
  const last = name.split(/[\\/]+/).findLast(part => part !== '') ?? ''
  const visible = withoutInvisible(last).trim()
  return fit(visible).trim().replace(/^\.+$/, '') || fallback
}

/**
 * A single valid file name for Windows, macOS and Linux, whatever `name` contains: no folder, no device, no hidden
 * file, no character that any disk refuses, at most 255 bytes of UTF-8.
 */
export function portableName(name: string, fallback = FALLBACK): string {
  const plain = cleanName(name, fallback).replace(FORBIDDEN, '_')
  const trimmed = plain.replace(EDGES, '')
  return fit(DEVICE.test(trimmed) ? `_${trimmed}` : trimmed).replace(EDGES, '') || fallback
}

/** Joins a prefix, a stem and a suffix, shortening only the stem to stay within the maximum length. */
export const nameAround = (before: string, stem: string, after: string): string =>
  before + cut(stem, NAME_BYTES - Buffer.byteLength(before + after)) + after

/**
 * The folders of a relative path as portable names, outermost first, without `..` and `.`.
 * @param path a file within a folder, with either kind of slash
 */
export function portableFolders(path: string): string[] {
  return path
    .split(/[\\/]/)
    .slice(0, -1)
    .filter(part => !/^[\s.]*$/.test(part))
    .map(part => portableName(part, '_'))
}

/** `photo.png` as `photo (2).png`, within the maximum length; number 1 gives the name itself. */
export function numberedName(name: string, number: number): string {
  return number === 1 ? name : fit(name, ` (${number})`)
}

/** Makes names unique: `a.png`, `a (2).png`, …, also on disks that ignore case. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  /** Returns the name itself, or the first numbered variant that is free, and reserves it. */
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

/** Names that some disk considers equal have the same folded form. */
const fold = (name: string) => name.normalize('NFC').toLowerCase()

/** `name` with `insert` before its suffix, shortened between characters to the maximum length; the suffix is kept. */
function fit(name: string, insert = ''): string {
  const dot = name.lastIndexOf('.')
  const splits = dot > 0 && Buffer.byteLength(name.slice(dot)) <= SUFFIX_BYTES
  const suffix = splits ? name.slice(dot) : ''
  const stem = splits ? name.slice(0, dot) : name
  return cut(stem, NAME_BYTES - Buffer.byteLength(insert + suffix)) + insert + suffix
}

/** The longest start of a text, in whole characters, that fits into a number of bytes. */
function cut(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  let bytes = 0
  for (const { segment, index } of characters.segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes <= limit) continue
    if (index > 0) return text.slice(0, index)
    // A single character with hundreds of accents.
    break
  }
  return cutUtf8(text, limit)
}
