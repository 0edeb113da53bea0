import { isRightToLeftLanguage } from '../../../engines/common/language/tag.ts'
import {
  coverageOf,
  fontList,
  literal,
  textContent,
  typeset,
} from '../../../engines/documents/typst/index.ts'
import { type DocumentOptions, frontOf, HEADING, linesOf } from './document.ts'
import type { Transcript } from './transcript.ts'

/** PDF (A4) of a tidy transcript with its fonts embedded; see `coverageOf` for the letters they have. */
export async function writePdf(transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> {
  const { language } = transcript
  const { title, facts, notices } = frontOf(transcript, options)
  const lines = linesOf(transcript)
  const texts = lines.map(({ lead, text }) => lead + text)
  const { files, missing, declaration } = await coverageOf([title, ...texts].join(''))
  const unwritten =
    'Some letters are missing here, because no font on this computer has them. Word, EPUB and text have them all.'
  const remarks = missing.size > 0 ? [unwritten, ...notices] : notices
  const source = `${declaration}
#set document(title: ${literal(title)}, date: ${dateOf(options.date)})
#set page("a4", margin: 64pt, numbering: "1 / 1")
#set text(font: ${fontList('Arimo')}, size: 10.5pt, lang: ${literal(language.split('-')[0] ?? 'und')}, dir: ${
    isRightToLeftLanguage(language) ? 'rtl' : 'ltr'
  })
#set par(spacing: 1em)
#show heading: set text(size: 14pt)
// What is not spoken is English, whatever the recording.
#let muted(size, words) = block({ set text(fill: luma(85), size: size, lang: "en", dir: ltr); words })
#let lead(words) = box(text(fill: luma(85), dir: ltr, words))
#block(text(size: 20pt, weight: "bold", ${literal(title)}))
#muted(9.5pt, [${facts.map(([label, value]) => textContent(`${label}: ${value}`)).join(' \\\n')}])

${remarks.map(notice => `#muted(9pt, ${literal(notice)})`).join('\n\n')}

= ${textContent(HEADING)}

${lines.map(({ lead, text }) => `${lead && `#lead(${literal(lead)}) `}${textContent(text)}`).join('\n\n')}
`
  return typeset({ source, fonts: files })
}

const dateOf = (date: Date): string =>
  `datetime(year: ${date.getUTCFullYear()}, month: ${date.getUTCMonth() + 1}, day: ${date.getUTCDate()}, hour: ${date.getUTCHours()}, minute: ${date.getUTCMinutes()}, second: ${date.getUTCSeconds()})`
