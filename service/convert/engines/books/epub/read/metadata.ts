import { randomUUID } from 'node:crypto'
import { canonicalLanguage } from '../../../common/language/tag.ts'
import { ownValue } from '../../../common/own-value.ts'
import { childOf, elementsOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import type { Metadata, Person } from '../../book/model.ts'

/** Maximum number of values kept per kind. */
const MAX_VALUES = 1000

/** `meta` elements of EPUB 3 by the id that they refine; those of the whole book under ''. */
type Refinements = ReadonlyMap<string, readonly { property: string; value: string }[]>

/** Reads the metadata of a package, as written by EPUB 2, EPUB 3 and Calibre. */
export function readMetadata(root: XmlElement): Metadata {
  const elements = metadataOf(root)
  const refinements = refinementsOf(elements)
  const named = new Map<string, string>()
  for (const { name, attributes } of elements) {
    if (name === 'meta' && attributes.name && !named.has(attributes.name)) {
      named.set(attributes.name, attributes.content ?? '')
    }
  }
  const all = (name: string) =>
    elements.filter(element => element.name.toLowerCase() === `dc:${name}`).slice(0, MAX_VALUES)
  const values = (name: string) =>
    all(name)
      .map(wordsOf)
      .filter(text => text !== '')
  const refined = (element: XmlElement | undefined, property: string) =>
    refinements.get(element?.attributes.id ?? '-')?.find(refinement => refinement.property === property)
      ?.value

  const titles = all('title').filter(element => wordsOf(element) !== '')
  const ofType = (type: string) => titles.find(element => refined(element, 'title-type') === type)
  const main = ofType('main') ?? titles[0]
  const identifiers = identifiersOf(all('identifier'), refined)
  const unique = all('identifier').find(
    ({ attributes }) => attributes.id === root.attributes['unique-identifier'],
  )
  const dates = all('date')
  const published =
    dates.find(({ attributes }) => attributes.event === 'publication') ??
    dates.find(({ attributes }) => !attributes.event) ??
    dates.find(({ attributes }) => attributes.event !== 'modification')
  const modified =
    refinements.get('')?.find(({ property }) => property === 'dcterms:modified')?.value ??
    textOf(dates.find(({ attributes }) => attributes.event === 'modification'))
  const person = (element: XmlElement): Person => ({
    name: wordsOf(element),
    fileAs: refined(element, 'file-as') ?? (element.attributes['file-as'] || undefined),
    role: refined(element, 'role') ?? (element.attributes.role || undefined),
  })
  const people = (name: string) =>
    all(name)
      .map(person)
      .filter(({ name: own }) => own !== '')
  const languages = values('language')
    .map(language => canonicalLanguage(language.replaceAll('_', '-')))
    .filter(language => language !== 'und')
  return {
    title: wordsOf(main) || 'Untitled',
    titleFileAs:
      refined(main, 'file-as') ??
      (main?.attributes['file-as'] || named.get('calibre:title_sort') || undefined),
    subtitle: wordsOf(ofType('subtitle')) || undefined,
    authors: people('creator'),
    contributors: people('contributor'),
    languages: languages.length > 0 ? [...new Set(languages)] : ['und'],
    identifiers,
    uniqueIdentifier: wordsOf(unique) || identifiers[0]?.value || `urn:uuid:${randomUUID()}`,
    publisher: values('publisher')[0],
    published: wordsOf(published) || undefined,
    modified: dateOf(modified),
    description: values('description')[0],
    subjects: values('subject'),
    rights: values('rights').join(' ') || undefined,
    series: seriesOf(elements, named, refined),
  }
}

const wordsOf = (element: XmlElement | undefined) => textOf(element).replace(/\s+/g, ' ').trim()

function refinementsOf(elements: readonly XmlElement[]): Refinements {
  const found = new Map<string, { property: string; value: string }[]>()
  for (const element of elements) {
    const { property, refines } = element.attributes
    if (element.name !== 'meta' || !property) continue
    const id = refines?.replace(/^#/, '') ?? ''
    const list = found.get(id) ?? []
    if (list.length < MAX_VALUES) list.push({ property, value: wordsOf(element) })
    found.set(id, list)
  }
  return found
}

type Refined = (element: XmlElement | undefined, property: string) => string | undefined

/** `02` and `15` of ONIX code list 5 are ISBNs. */
const onixSchemes: Record<string, string> = { '02': 'ISBN', '15': 'ISBN', '06': 'DOI', '22': 'URN' }

function identifiersOf(elements: readonly XmlElement[], refined: Refined): Metadata['identifiers'] {
  return elements.flatMap(element => {
    const value = wordsOf(element)
    if (value === '') return []
    const type = refined(element, 'identifier-type')
    const [, urn] = /^urn:(uuid|isbn|doi|issn):/i.exec(value) ?? []
    const scheme =
      element.attributes.scheme ||
      (type && (ownValue(onixSchemes, type) ?? type)) ||
      urn?.toUpperCase() ||
      null
    return [{ scheme, value }]
  })
}

function seriesOf(
  elements: readonly XmlElement[],
  named: ReadonlyMap<string, string>,
  refined: Refined,
): Metadata['series'] {
  const collections = elements.filter(
    ({ name, attributes }) => name === 'meta' && attributes.property === 'belongs-to-collection',
  )
  const collection =
    collections.find(element => refined(element, 'collection-type') === 'series') ??
    collections.find(element => refined(element, 'collection-type') === undefined)
  const name = wordsOf(collection)
  if (name !== '') return { name, position: refined(collection, 'group-position') }
  const calibre = named.get('calibre:series')?.trim()
  // Calibre writes whole positions as decimals, such as the default 1.0.
  return calibre
    ? { name: calibre, position: named.get('calibre:series_index')?.replace(/\.0+$/, '') }
    : undefined
}

function dateOf(text: string): Date | undefined {
  const time = Date.parse(text.trim())
  return Number.isNaN(time) ? undefined : new Date(time)
}

/** The metadata elements of a package, even if an old package nests them one level deeper. */
export function metadataOf(root: XmlElement | undefined): XmlElement[] {
  const metadata = elementsOf(childOf(root, 'metadata'))
  return metadata.flatMap(element =>
    /^(?:dc-metadata|x-metadata)$/.test(element.name) ? elementsOf(element) : [element],
  )
}
