/** Folders that are one document: a text and its pictures. */
import type { Zippable } from 'fflate'

const TEXT = /\.(?:md|markdown|mkd|html?|xhtml|org|rst|rest|tex|latex|ltx)$/i
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|emf|wmf)$/i

/** Whether these files are a text and its pictures. */
export const isTextFolder = (names: readonly string[]): boolean =>
  names.length > 1 &&
  names.filter(name => TEXT.test(name)).length === 1 &&
  names.every(name => TEXT.test(name) || PICTURE.test(name))

/** The file that a folder becomes, in which the files have their paths: http://textbundle.org/spec/ */
export async function textPackOf(name: string, files: Zippable): Promise<File> {
  const { zipSync } = await import('fflate')
  return new File([zipSync(files, { level: 0 })], `${name}.textpack`)
}
