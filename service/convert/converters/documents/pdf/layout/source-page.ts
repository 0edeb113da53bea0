/** A page of a file as it was read, before its text is arranged. */

import { overlap } from '../../../../engines/common/rectangle.ts'
import type { PdfPage } from '../../../../engines/pdf/content/page.ts'
import type { PageContent, PdfLink, TextItem } from '../../../../engines/pdf/content/types.ts'
import { gridsOf } from './grid.ts'
import type { Word } from './lines.ts'
import { fillsPage, type PictureStore, type PositionedPicture, picturesOf } from './pictures.ts'
import { isInside } from './ruled-tables.ts'
import type { ScannedText } from './scanned.ts'
import type { lookReader } from './styles.ts'
import { type Tags, tagsOf } from './tags.ts'

export interface SourcePage {
  content: PageContent
  tags: Tags
  words: Word[]
  pictures: PositionedPicture[]
}

export const lettersOf = ({ text }: { text: readonly { text: string }[] }) =>
  text.reduce((sum, item) => sum + item.text.length, 0)

/** Whether a page consists of a picture only. */
export const isScan = (content: PageContent) =>
  content.text.length === 0 && content.images.some(image => fillsPage(image, content))

/** Whether the file identifies hardly any letter of a page's text. */
export const isUnmapped = (content: PageContent) => content.unmapped > lettersOf(content) * 8

/** A page with fewer characters may be a scan with a stamp. */
const FEW_LETTERS = 50

export const hasLittleText = (content: PageContent) =>
  lettersOf(content) < FEW_LETTERS && content.images.length > 0

export const isGarbled = (content: PageContent) =>
  content.unmapped > 20 && content.unmapped > lettersOf(content) * 0.1

/** Whether words stand in a font whose letters the file seems to name wrongly. */
const isDoubtful = ({ wrong }: PageContent, word: TextItem) => wrong.get(word.font.name) === 'gibberish'

export const doubtfulLetters = (content: PageContent) =>
  lettersOf({ text: content.text.filter(word => isDoubtful(content, word)) })

/** Whether most of what the file says of doubtful words is also read on the page. */
export function isConfirmed(content: PageContent, { words }: ScannedText): boolean {
  const read = new Set(words.map(word => word.text))
  const doubtful = content.text.filter(word => isDoubtful(content, word))
  return doubtful.filter(word => read.has(word.text)).length > doubtful.length / 2
}

/** Replaces a picture, and words that are wrong, by the text recognised in it. */
export function takeText(page: SourcePage, { width, height, words }: ScannedText): void {
  const { content } = page
  const isTurned = Math.abs(width - content.width) > 1 || Math.abs(height - content.height) > 1
  const sound =
    isTurned || doubtfulLetters(content) === 0 ? [] : page.words.filter(word => !isDoubtful(content, word))
  const found = words.filter(word => !sound.some(other => overlap(word, other)))
  page.pictures = page.pictures.filter(({ box }) => !fillsPage(box, content))
  if (sound.length === 0)
    page.content = { ...content, width, height, turned: [], slanted: [], rulings: [], boxes: [] }
  page.words = [...sound, ...found.map(word => ({ ...word, order: word.order + content.text.length + 1 }))]
  placeComments(page.words, page.content)
}

/** Puts comments at the last word that they mark, or else at the one nearest to them. */
function placeComments(words: readonly Word[], { index, comments }: PageContent): void {
  for (const [number, { text, ...box }] of comments.entries()) {
    const marked = words.filter(word => isInside(word, box, 1))
    // Some programs write the marked text into the comment.
    if (text.replace(/\s/g, '').endsWith(marked.map(word => word.text).join('')) && marked.length > 0)
      continue
    const away = (word: Word) =>
      Math.hypot(word.x + word.width - box.x, 3 * (word.baseline - box.y - box.height))
    const word = marked.at(-1) ?? words.toSorted((one, other) => away(one) - away(other))[0]
    if (word) word.comments = [...(word.comments ?? []), { key: `comment-${index}-${number}`, text }]
  }
}

export async function sourcePage(
  page: PdfPage,
  store: PictureStore,
  pageLinks: boolean,
  lookOf?: ReturnType<typeof lookReader>,
): Promise<SourcePage> {
  const { content } = page
  const { rulings, boxes, width, height } = content
  const grids = gridsOf(rulings, boxes, { x: 0, y: 0, width, height })
  const tables = grids.filter(grid => grid.cells.length > 3)
  const words = wordsOf(content.text, content, pageLinks).map(word =>
    lookOf && !word.hidden ? { ...word, look: lookOf(word) } : word,
  )
  placeComments(words, content)
  return {
    content,
    tags: tagsOf(content.structure),
    words,
    pictures: await picturesOf(page, store, tables),
  }
}

/** The text words of a page, with the links over them. */
function wordsOf(
  items: readonly TextItem[],
  { width, height, links, hasFields }: PageContent,
  pageLinks: boolean,
): Word[] {
  const known = pageLinks ? links : links.filter(link => link.url !== undefined)
  return items.flatMap((item, order) => {
    const onPage = item.x < width && item.x + item.width > 0 && item.baseline > 0 && item.y < height
    // Dot leaders show that a line belongs to a table of contents. In forms the captions of fields are marked as artefacts,
    // since the fields have names.
    const isLeftOut = item.artefact && !hasFields && !/^[.·]+$/.test(item.text)
    if (isLeftOut || !onPage) return []
    const link = known.length > 0 ? linkOf(item, known) : undefined
    if (!link) return [{ ...item, order }]
    return [{ ...item, order, ...(link.url === undefined ? { leadsTo: link.page! } : { link: link.url }) }]
  })
}

const linkOf = (item: TextItem, links: readonly PdfLink[]) =>
  links.find(({ areas }) => areas.some(area => isInside(item, area, 1)))
