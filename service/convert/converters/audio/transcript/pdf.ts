import { typeset } from '../../../engines/documents/typst/compiler.ts'
import { coverageOf, fontList } from '../../../engines/documents/typst/fonts.ts'
import { factsOf } from '../../../engines/documents/write/typst/facts.ts'
import { typstWriter } from '../../../engines/documents/write/typst/markup.ts'
import { type DocumentOptions, documentOf } from './document.ts'
import type { Transcript } from './transcript.ts'

const UNWRITTEN =
  'Some letters are missing here, because no font on this computer has them. Word, EPUB and text have them all.'

/** PDF (A4) of a tidy transcript with its fonts embedded; see `coverageOf` for the letters they have. */
export async function writePdf(transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> {
  const none = () => undefined
  const sourceOf = (remarks: readonly string[]) => {
    const document = documentOf(transcript, options, remarks)
    const write = typstWriter(whole => ({
      text: text => text,
      code: text => text,
      width: none,
      isSpoken: false,
      formula: () => false,
      frame: title => `${factsOf({ ...whole, date: options.date.toISOString() }, title)}
#set page("a4", margin: 64pt, numbering: "1 / 1")
#set text(font: ${fontList('Arimo')}, size: 10.5pt)
#set par(spacing: 1em)
`,
    }))
    return write(document, {
      fileName: options.title,
      date: options.date,
      address: none,
      file: none,
    }) as string
  }
  const { files, missing, declaration } = await coverageOf(sourceOf([]))
  return typeset({ source: declaration + sourceOf(missing.size > 0 ? [UNWRITTEN] : []), fonts: files })
}
