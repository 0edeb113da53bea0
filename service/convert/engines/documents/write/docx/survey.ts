/** Data about the whole book that are needed before its first word is written. */
import { joinTarget, splitTarget } from '../../../books/book/links.ts'
import type { Book } from '../../../books/book/model.ts'
import { elementsOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import { type Documents, documentOf, pictureOf, targetOf, typesOf } from './documents.ts'
import { isNoteMark, type Note, notesOf, type Reference } from './notes.ts'

export interface Survey {
  /** Documents in the order of writing. */
  order: string[]
  /** Existing link targets, by link: a place without its fragment if that does not exist. */
  places: Map<string, string>
  /** Number of links whose target is not in the document. */
  lostLinks: number
  /** Footnotes by the place of their text. */
  notes: Map<string, Note>
  /** Whether one of the book's documents is a table of contents. */
  showsContents: boolean
  /** Whether the cover picture must be put before the first document. */
  putsCover: boolean
}

interface Found {
  ids: Set<string>
  links: string[]
  references: Reference[]
  pictures: string[]
  hasWords: boolean
  hasContents: boolean
}

/** @param order `href`s of the spine, in reading order */
export function surveyBook(book: Book, order: readonly string[], documents: Documents): Survey {
  const found = new Map<string, Found>()
  for (const href of order) {
    const body = documents.body(href)
    found.set(href, body ? lookThrough(body, href) : nothing())
  }
  const inBook = new Set(order)
  const isThere = (target: string) => {
    const { href, fragment } = splitTarget(target)
    return inBook.has(href) && (fragment === '' || found.get(href)!.ids.has(fragment))
  }
  const places = new Map<string, string>()
  let lostLinks = 0
  const want = (target: string) => {
    const place = isThere(target) ? target : joinTarget(documentOf(target))
    if (isThere(place)) places.set(target, place)
    else lostLinks += 1
  }
  for (const { links } of found.values()) links.forEach(want)
  for (const target of entryTargets(book.navigation)) want(target)

  const references = [...found.values()].flatMap(each => each.references)
  const notes = notesOf(
    references.filter(({ target }) => isThere(target)),
    documents,
  )
  const { cover } = book
  const isCover = (href: string | undefined) => {
    const page = href === undefined ? undefined : found.get(href)
    return cover !== undefined && (href === cover || (page?.pictures.includes(cover) ?? false))
  }
  const putsCover = cover !== undefined && book.resources.has(cover) && !isCover(order[0])
  // A later cover page would show it again.
  const shown = order.filter((href, index) => index === 0 || !isCover(href) || found.get(href)!.hasWords)
  return {
    order: shown,
    places,
    lostLinks,
    notes,
    showsContents: [...found.values()].some(({ hasContents }) => hasContents),
    putsCover,
  }
}

const nothing = (): Found => ({
  ids: new Set(),
  links: [],
  references: [],
  pictures: [],
  hasWords: false,
  hasContents: false,
})

const hasWords = (element: XmlElement): boolean =>
  element.children.some(child => (typeof child === 'string' ? /[\p{L}\p{N}]/u.test(child) : hasWords(child)))

function* entryTargets(entries: Book['navigation']): Generator<string> {
  for (const { href, children } of entries) {
    if (href !== null) yield href
    yield* entryTargets(children)
  }
}

function lookThrough(body: XmlElement, href: string): Found {
  const found = nothing()
  found.hasWords = hasWords(body)
  const visit = (element: XmlElement, raised: boolean, ids: readonly string[]) => {
    const { name, attributes } = element
    const { id } = attributes
    if (id) found.ids.add(id)
    const types = typesOf(element)
    if (name === 'nav' && types.includes('toc') && attributes.hidden === undefined) found.hasContents = true
    const picture = pictureOf(element)
    const address = picture && targetOf(href, picture.address)
    if (address) found.pictures.push(documentOf(address))
    const isInline = /^(?:a|span|sup|b|i|em|strong|small|abbr)$/.test(name)
    const own = isInline ? (id ? [...ids, id] : ids) : []
    const isRaised = raised || name === 'sup'
    if (name === 'a') {
      const target = targetOf(href, attributes.href)
      if (attributes.name) found.ids.add(attributes.name)
      if (target !== undefined) {
        found.links.push(target)
        const mark = textOf(element).trim()
        const isMarked = types.includes('noteref')
        const looksLike =
          isRaised || elementsOf(element).some(child => child.name === 'sup') || /^[[(].*[\])]$/.test(mark)
        if (isMarked || (looksLike && mark !== '' && isNoteMark(mark))) {
          const backs = [...own, ...(attributes.name ? [attributes.name] : [])].map(each =>
            joinTarget(href, each),
          )
          found.references.push({ target, href, backs, mark, isMarked })
        }
      }
    }
    for (const child of element.children) if (typeof child === 'object') visit(child, isRaised, own)
  }
  visit(body, false, [])
  return found
}
