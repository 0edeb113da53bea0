/**
 * Identifiers of the primary tree, for systems that read neither Joliet nor Rock Ridge: capitals, digits and underscores
 * (ECMA-119, 7.5 and 7.6 at level 3). All other systems see the names of those two.
 */
import { UniqueIdentifiers } from './unique-identifiers.ts'

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

/** Assigns unique identifiers to the members of a folder; those of files have a dot and no version number. */
export function primaryNames(): (name: string, isFolder: boolean) => string {
  const unique = new UniqueIdentifiers()
  return (name, isFolder) => {
    const dot = isFolder ? -1 : name.lastIndexOf('.')
    const stem = allowed(dot > 0 ? name.slice(0, dot) : name) || '_'
    const extension = dot > 0 ? allowed(name.slice(dot + 1)).slice(0, EXTENSION_LENGTH) : ''
    const length = isFolder ? FOLDER_LENGTH : FILE_LENGTH - extension.length
    const numbered = (number: number) => {
      const suffix = number === 1 ? '' : `_${number}`
      return `${stem.slice(0, length - suffix.length)}${suffix}${isFolder ? '' : `.${extension}`}`
    }
    // Readers that drop an empty extension cannot distinguish a folder `A` from a file `A.`.
    return unique.take(numbered, identifier => identifier.replace(/\.$/, ''))
  }
}
