/** Unique identifiers for the members of a folder, in the two trees. */

/**
 * Takes the first unused form of each identifier.
 * @param key the part of an identifier that has to be unique
 */
function uniqueBy(key: (identifier: string) => string) {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  /** @param numbered the identifier with a number in it, or without one for 1 */
  return (numbered: (number: number) => string): string => {
    const first = key(numbered(1))
    let number = numbers.get(first) ?? 1
    let identifier = numbered(number)
    while (taken.has(key(identifier))) identifier = numbered(++number)
    if (number > 1) numbers.set(first, number)
    taken.add(key(identifier))
    return identifier
  }
}

/** Maximum length of a folder's identifier. */
const FOLDER_LENGTH = 31
/** Maximum length of a file's name and extension together. */
const FILE_LENGTH = 30
const EXTENSION_LENGTH = 8

/** A text in the characters that ECMA-119 allows: capitals, digits and underscores. */
export const allowed = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9_]/gu, '_')

/**
 * Assigns identifiers of the primary tree, for systems that read neither Joliet nor Rock Ridge: capitals, digits and underscores
 * (ECMA-119, 7.5 and 7.6 at level 3). Those of files have a dot and no version number.
 */
export function primaryNames(): (name: string, isFolder: boolean) => string {
  // Readers that drop an empty extension cannot distinguish a folder `A` from a file `A.`.
  const unique = uniqueBy(identifier => identifier.replace(/\.$/, ''))
  return (name, isFolder) => {
    const dot = isFolder ? -1 : name.lastIndexOf('.')
    const stem = allowed(dot > 0 ? name.slice(0, dot) : name) || '_'
    const extension = dot > 0 ? allowed(name.slice(dot + 1)).slice(0, EXTENSION_LENGTH) : ''
    const length = isFolder ? FOLDER_LENGTH : FILE_LENGTH - extension.length
    return unique(number => {
      const suffix = number === 1 ? '' : `_${number}`
      return `${stem.slice(0, length - suffix.length)}${suffix}${isFolder ? '' : `.${extension}`}`
    })
  }
}

/**
 * Maximum length of a Joliet name in UTF-16 units. The specification of 1995 allows 64, which would truncate many ordinary
 * names; all current readers accept the 103 that fit into a record with a version number, as written by
 * `mkisofs -joliet-long`.
 */
const JOLIET_LENGTH = 103
/** Longest suffix that is kept when a name is truncated. */
const SUFFIX_LENGTH = 20

/** Characters that Joliet does not allow or Windows cannot open. */
const FORBIDDEN = /[\p{Cc}*/:;?\\<>|"]/gu
const EDGE = /[. ]$/

/** The first units of a text, without splitting a surrogate pair. */
const cut = (text: string, length: number) =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, half => (text.length > length ? '' : half))

/** Assigns identifiers of Joliet, the tree that Windows reads, unique even when case is ignored and without version numbers. */
export function jolietNames(): (name: string, isFolder: boolean) => string {
  const unique = uniqueBy(identifier => identifier.normalize('NFC').toLowerCase())
  return (name, isFolder) => {
    const plain = name.toWellFormed().replace(FORBIDDEN, '_').replace(EDGE, '_')
    const dot = isFolder ? -1 : plain.lastIndexOf('.')
    const splits = dot > 0 && plain.length - dot <= SUFFIX_LENGTH
    const stem = splits ? plain.slice(0, dot) : plain
    const suffix = splits ? plain.slice(dot) : ''
    return unique(number => {
      const end = number === 1 ? suffix : ` (${number})${suffix}`
      return cut(stem, JOLIET_LENGTH - end.length) + end
    })
  }
}
