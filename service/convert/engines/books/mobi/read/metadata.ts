/** Reads the metadata of a Kindle book from its EXTH records. */
import { createHash } from 'node:crypto'
import type { Book, Identifier, Metadata } from '../../book/model.ts'
import { uuidOf } from '../../book/uuid.ts'
import { viewportOf } from '../../epub/read/rendition.ts'
import { EXTH } from '../format/exth.ts'
import { languageOf } from '../format/locales.ts'
import type { Container } from './container.ts'
import type { PackageRecord } from './package-record.ts'

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i
const LANGUAGE = /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i

/** Texts of all EXTH records of a type. */
export const texts = ({ header }: Container, type: number): string[] =>
  (header.exth.get(type) ?? []).map(value => clean(header.decoder.decode(value))).filter(text => text !== '')

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const clean = (text: string) => text.replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]+/g, '').trim()

export function readMetadata(container: Container, { metadata: source }: PackageRecord): Metadata {
  const { header } = container
  const first = (type: number) => texts(container, type)[0]
  const identifiers = readIdentifiers(container, source)
  const language = [...texts(container, EXTH.language), languageOf(header.locale) ?? ''].find(tag =>
    LANGUAGE.test(tag),
  )
  const hash = createHash('sha256').update(container.text).digest('hex')
  const authors = texts(container, EXTH.author)
  const sortNames = texts(container, EXTH.authorFileAs)
  const unique = identifiers[0] ?? { scheme: 'UUID', value: uuidOf(hash) }
  if (identifiers.length === 0) identifiers.push(unique)
  return {
    subtitle: source.subtitle,
    title: first(EXTH.title) ?? (clean(header.title) || clean(container.name.replaceAll('_', ' '))),
    titleFileAs: first(EXTH.titleFileAs),
    authors: authors.map((name, index) => ({
      name,
      role: 'aut',
      // Sort names can be assigned only if there is one for each author.
      fileAs: sortNames.length === authors.length ? sortNames[index] : undefined,
    })),
    contributors: texts(container, EXTH.contributor).map(name => ({
      name,
      role: /^calibre\b/.test(name) ? 'bkp' : undefined,
    })),
    languages: [
      language ?? 'und',
      ...(source.languages ?? []).filter(
        tag => tag !== 'und' && tag.toLowerCase() !== language?.toLowerCase(),
      ),
    ],
    identifiers,
    uniqueIdentifier: unique.value,
    publisher: first(EXTH.publisher),
    published: first(EXTH.date),
    modified: container.modified,
    description: first(EXTH.description),
    series: source.series,
    subjects: texts(container, EXTH.subject),
    rights: first(EXTH.rights),
  }
}

/** Identifiers, with the most permanent one first. */
function readIdentifiers(container: Container, source: Partial<Metadata>): Identifier[] {
  const found = new Map<string, Identifier>()
  const add = (scheme: string | null, value: string) => {
    const key = value.toLowerCase()
    if (!found.has(key)) found.set(key, { scheme, value })
  }
  const addIsbn = (text: string): boolean => {
    const digits = text.replace(/^urn:isbn:/i, '').replace(/[\s-]/g, '')
    const isIsbn = /^(?:\d{9}[\dX]|97[89]\d{10})$/i.test(digits)
    if (isIsbn) add('ISBN', `urn:isbn:${digits}`)
    return isIsbn
  }
  const origins = texts(container, EXTH.source)
  for (const text of [...origins, ...texts(container, EXTH.asin)]) {
    const [uuid] = UUID.exec(text) ?? []
    if (uuid) add('UUID', `urn:uuid:${uuid.toLowerCase()}`)
  }
  for (const isbn of texts(container, EXTH.isbn)) addIsbn(isbn)
  for (const asin of texts(container, EXTH.asin)) if (!UUID.test(asin)) add('ASIN', asin)
  for (const { scheme, value } of [
    ...origins.map(origin => ({ scheme: null, value: origin })),
    ...(source.identifiers ?? []),
  ]) {
    if (!UUID.test(value) && !addIsbn(value)) add(scheme, value)
  }
  return [...found.values()]
}

type Presentation = Pick<Book, 'direction' | 'layout' | 'rendition' | 'primaryWritingMode'>

/** Layout and page progression of the book. */
export function readPresentation(container: Container, source: PackageRecord): Presentation {
  const first = (type: number) => texts(container, type)[0]?.toLowerCase()
  const mode = first(EXTH.writingMode) ?? ''
  const progression = first(EXTH.pageProgression)
  const declared = [progression, source.direction].find(side => side === 'rtl' || side === 'ltr')
  const orientation = first(EXTH.orientation)
  return {
    direction: declared ?? (mode.endsWith('-rl') ? 'rtl' : 'default'),
    layout: first(EXTH.fixedLayout) === 'true' ? 'fixed' : 'reflowable',
    rendition: {
      ...source.rendition,
      orientation:
        orientation === 'portrait' || orientation === 'landscape'
          ? orientation
          : source.rendition.orientation,
      viewport: viewportOf(first(EXTH.resolution)),
    },
    // From left to right is the usual mode.
    primaryWritingMode: (['horizontal-rl', 'vertical-lr', 'vertical-rl'] as const).find(
      each => each === mode,
    ),
  }
}
