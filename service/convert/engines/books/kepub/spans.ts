import { XmlError } from '../../common/xml/element.ts'
import { XmlScanner } from '../../common/xml/scan.ts'

/** Elements that start a new paragraph. */
const paragraphs = new Set('p ol ul table h1 h2 h3 h4 h5 h6'.split(' '))
/** Elements that must not contain spans, or that spans would change. */
const untouched = new Set(
  'script style pre audio video svg math textarea select option iframe object template picture rp head'.split(
    ' ',
  ),
)
const STYLE = 'div#book-inner { margin-top: 0; margin-bottom: 0; }'

/** The end of a sentence, with what closes it and the space after it. */
const sentenceEnd = /[.!?]['"”’“…]?[ \t\n\r\f]+/g

/**
 * An XHTML document as Kobo's readers expect it, which keep positions, marks and notes by spans with ids around every
 * sentence (after kepubify by Patrick Gaskin, who found the rules in the files of Kobo's own shop:
 * https://pgaskin.net/kepubify/). Everything else stays byte for byte.
 * @param text a well-formed document
 * @throws XmlError if it is not
 */
export function withSpans(text: string): string {
  if (text.includes('koboSpan')) return text
  const parts: string[] = []
  let copied = 0
  const insert = (at: number, markup: string) => {
    parts.push(text.slice(copied, at), markup)
    copied = at
  }
  const open: { name: string; isQuiet: boolean }[] = []
  /** Number of open elements whose content must not be changed. */
  let quiet = 0
  let isInBody = false
  let paragraph = 0
  let segment = 0
  let isNew = true
  const id = () => {
    if (isNew) {
      paragraph++
      segment = 0
      isNew = false
    }
    segment++
    return `<span class="koboSpan" id="kobo.${paragraph}.${segment}">`
  }
  const scanner = new XmlScanner(text)
  while (scanner.next()) {
    const { kind, name, from, to } = scanner
    if (kind === 'text') {
      if (!isInBody || quiet > 0) continue
      const raw = text.slice(from, to)
      if (raw.trim() === '' && open.at(-1)?.name !== 'p') continue
      parts.push(text.slice(copied, from))
      for (const piece of sentencesOf(raw)) parts.push(id(), piece, '</span>')
      copied = to
    } else if (kind === 'start') {
      if (isInBody && quiet === 0 && name === 'img') {
        isNew = true
        insert(from, id())
        if (scanner.isEmpty) insert(to, '</span>')
      }
      if (paragraphs.has(name)) isNew = true
      if (scanner.isEmpty) continue
      open.push({ name, isQuiet: isQuiet(scanner) })
      if (open.at(-1)?.isQuiet) quiet++
      if (name === 'body' && open.length === 2) {
        isInBody = true
        insert(to, '<div id="book-columns"><div id="book-inner">')
      }
    } else if (kind === 'end') {
      const element = open.pop()
      if (element?.name !== name) throw new XmlError('an element ends that did not begin')
      if (element.isQuiet) quiet--
      if (name === 'img' && isInBody && quiet === 0) insert(to, '</span>')
      if (name === 'head' && open.length === 1) insert(from, `<style type="text/css">${STYLE}</style>`)
      if (name === 'body' && isInBody) {
        isInBody = false
        insert(from, '</div></div>')
      }
    }
  }
  if (open.length > 0) throw new XmlError('the document breaks off')
  parts.push(text.slice(copied))
  return parts.join('')
}

/** A `time` element without an attribute takes its value from its text, so it must contain nothing else. */
const isQuiet = ({ name, attributes }: XmlScanner) =>
  untouched.has(name.slice(name.indexOf(':') + 1)) || (name === 'time' && !attributes.has('datetime'))

function* sentencesOf(text: string): Generator<string> {
  let start = 0
  for (const { 0: end, index } of text.matchAll(sentenceEnd)) {
    yield text.slice(start, index + end.length)
    start = index + end.length
  }
  if (start < text.length) yield text.slice(start)
}
