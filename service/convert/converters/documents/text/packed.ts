/** A ZIP of a text and its pictures, such as TextPack: http://textbundle.org/spec/ */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Task } from '../../../catalogue/task.ts'
import { resolveHref } from '../../../engines/books/book/links.ts'
import { unzipped } from '../../../engines/documents/formats/unzip.ts'
import { texts } from '../../../engines/documents/index.ts'
import { type Document, picturesIn } from '../../../engines/documents/model.ts'

/** What the text of several is usually called. */
const MAIN = /^(?:text|index|main|readme)$/i
/** Without a suffix, LaTeX takes the picture that there is. */
const SUFFIXES = ['', '.png', '.jpg', '.jpeg', '.svg']

/**
 * The text in an archive: that nearest to its top, with a warning of others in its format.
 * @throws JobFailure corrupt_input, too_large, unsupported_input if there is none
 */
export function packedText(archive: Uint8Array, warn: Task['warn']) {
  const files = unzipped(archive)
  const found = Object.keys(files)
    .filter(path => !/(?:^|\/)(?:\.|__MACOSX\/)/.test(path))
    .flatMap(path => {
      const { stem, format } = splitName(path.slice(path.lastIndexOf('/') + 1))
      const source = texts.find(each => each === format)
      return source
        ? [{ path, source, rank: [path.split('/').length, MAIN.test(stem) ? 0 : 1, texts.indexOf(source)] }]
        : []
    })
    .toSorted(
      (one, other) =>
        compare(one.rank, other.rank) || one.path.localeCompare(other.path, 'en', { numeric: true }),
    )
  const [main, ...others] = found
  if (!main) throw new JobFailure('jobs.unsupported_input', message('text.none_in_archive'))
  const left = others.filter(({ source }) => source === main.source)
  if (left.length > 0)
    warn(message('text.one_of_several', { name: shortened(main.path), count: left.length }))
  return {
    source: main.source,
    bytes: files[main.path]!,
    /** Gives a document the pictures of the archive that it names. */
    withPictures: (document: Document): Document => {
      for (const use of picturesIn(document)) {
        const { href = '' } = ('address' in use.source && resolveHref(main.path, use.source.address)) || {}
        const file = SUFFIXES.map(suffix => href + suffix).find(name => Object.hasOwn(files, name))
        if (file) use.source = { file }
      }
      return { ...document, file: name => (Object.hasOwn(files, name) ? files[name] : document.file(name)) }
    },
  }
}

const compare = (one: readonly number[], other: readonly number[]): number =>
  one.map((rank, at) => rank - other[at]!).find(Boolean) ?? 0

const shortened = (path: string) => path.replace(/^.*(?=.{60}$)/su, '…')
