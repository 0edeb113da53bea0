/** Identifiers of Joliet, the tree that Windows reads. */
import { UniqueIdentifiers } from './unique-identifiers.ts'

/** Longest suffix that is kept when a name is truncated. */
const SUFFIX_LENGTH = 20

/** Characters that Joliet does not allow or Windows cannot open. */
const FORBIDDEN = /[\p{Cc}*/:;?\\<>|"]/gu
const EDGE = /[. ]$/

/** The first units of a text, without splitting a surrogate pair. */
const cut = (text: string, length: number) =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, half => (text.length > length ? '' : half))

/**
 * Assigns identifiers to the members of a folder, unique even when case is ignored and without version numbers.
 * @param length maximum length of an identifier in UTF-16 units
 */
export const windowsNames = (length: number) => (): ((name: string, isFolder: boolean) => string) => {
  const unique = new UniqueIdentifiers()
  return (name, isFolder) => {
    const plain = name.toWellFormed().replace(FORBIDDEN, '_').replace(EDGE, '_')
    const dot = isFolder ? -1 : plain.lastIndexOf('.')
    const splits = dot > 0 && plain.length - dot <= SUFFIX_LENGTH
    const stem = splits ? plain.slice(0, dot) : plain
    const suffix = splits ? plain.slice(dot) : ''
    const numbered = (number: number) => {
      const end = number === 1 ? suffix : ` (${number})${suffix}`
      return cut(stem, length - end.length) + end
    }
    return unique.take(numbered, identifier => identifier.normalize('NFC').toLowerCase())
  }
}
