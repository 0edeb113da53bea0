/** The parts of a KF8 book as documents. */
import { landmarksOf } from '../../../book/landmarks.ts'
import { joinTarget, type Target } from '../../../book/links.ts'
import { readXhtml } from '../../../book/markup/document.ts'
import type { SpineItem } from '../../../book/model.ts'
import type { BookBuilder } from '../book-builder.ts'
import type { Container } from '../container.ts'
import { documentOf } from '../document.ts'
import { cleanDocument } from '../markup/clean.ts'
import { type ContentsEntry, type Documents, nest, readContents, readGuide } from '../navigation.ts'
import type { PackageRecord } from '../package-record.ts'
import { Flows } from './flows.ts'
import { readKf8Text } from './parts.ts'
import { markPlaces, parseLink } from './places.ts'

/** Adds every part to the book. @throws DamagedFile when the book is damaged */
export function readKf8(
  container: Container,
  builder: BookBuilder,
  { items }: Pick<PackageRecord, 'items'>,
): Documents {
  const text = readKf8Text(container)
  const contents = readContents(container)
  const guide = readGuide(container)
  const positions = [...contents, ...guide].flatMap(({ place }) => (place ? [place] : []))
  const { texts, find } = markPlaces(text, positions)
  const flows = new Flows(text.flows, builder)
  const targetOf = (position: ContentsEntry['place']): Target | undefined => {
    const place = position && find(position.fragment, position.offset)
    return place && { href: hrefOf(place.part), fragment: place.id }
  }
  const spine: SpineItem[] = []
  for (const [part, source] of texts.entries()) {
    const href = hrefOf(part)
    const { root } = readXhtml(source)
    flows.resolveIn(root, href, link => targetOf(parseLink(link)))
    const document = documentOf(root, builder)
    cleanDocument(document)
    builder.addDocument(href, document)
    spine.push({ href, linear: true, properties: [], ...items.get(part) })
  }
  return {
    spine,
    navigation: nest(contents, ({ place }) => {
      const target = targetOf(place)
      return target && joinTarget(target.href, target.fragment)
    }),
    landmarks: landmarksOf(guide, ({ place }) => targetOf(place)),
  }
}

const hrefOf = (part: number) => `text/part${String(part + 1).padStart(4, '0')}.xhtml`
