import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { fontsFor, runsOf, type Typeface } from '../../../engines/fontkit/typefaces.ts'
import { type DocumentOptions, documentOf, type Line, leadOf } from './document.ts'
import { setRightToLeft } from './righttoleft.ts'
import { isRightToLeft, type Transcript } from './transcript.ts'

/** Distances and sizes in points; 72 make an inch. */
const MARGIN_POINTS = 64
const BODY_POINTS = 10.5
const MUTED = '#555555'
const INK = '#111111'

interface Style {
  size?: number
  color?: string
  bold?: boolean
  /** Distance from the left margin. */
  indent?: number
  /** Space below, in lines. */
  gap?: number
}

/**
 * PDF (A4) of a tidy transcript with its fonts embedded. Letters that the bundled fonts lack are taken from the
 * system's fonts if they have them.
 * @param date written into the document's information
 */
export async function writePdf(
  transcript: Transcript,
  options: DocumentOptions,
  date: Date,
): Promise<Uint8Array> {
  const { title, language, facts, notices, sections } = documentOf(transcript, options)
  const rightToLeft = isRightToLeft(language)
  const everything = [title, ...sections.flatMap(({ lines }) => lines.map(line => leadOf(line) + line.text))]
  const { fonts, missing } = fontsFor(everything.join(''), rightToLeft)
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN_POINTS,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: { Title: title, Creator: 'Refile', Producer: 'Refile', CreationDate: date },
  })
  const finished = buffer(pdf)
  for (const { name, path, face } of fonts) pdf.registerFont(name, path, face)

  const write = (parts: [text: string, style: Style][], { indent = 0, gap = 0.5 }: Style = {}) => {
    const width = pdf.page.width - 2 * MARGIN_POINTS - indent
    if (rightToLeft) {
      const { size = BODY_POINTS, color = INK } = parts.at(-1)?.[1] ?? {}
      pdf.fontSize(size).fillColor(color)
      const bottom = pdf.page.height - MARGIN_POINTS
      setRightToLeft(pdf, parts.map(([text]) => text).join(''), fonts, { left: MARGIN_POINTS, width, bottom })
    } else {
      const runs = parts.flatMap(([text, style]) =>
        runsOf(text, fonts, style.bold ?? false).map(run => ({ ...run, style })),
      )
      pdf.x = MARGIN_POINTS + indent
      for (const [nth, { text, font, style }] of runs.entries()) {
        pdf
          .font(font.name)
          .fontSize(style.size ?? BODY_POINTS)
          .fillColor(style.color ?? INK)
          .text(text, { continued: nth < runs.length - 1, width })
      }
    }
    pdf.x = MARGIN_POINTS
    pdf.moveDown(gap)
  }

  const writeLine = (line: Line, isPoint: boolean) => {
    const lead = leadOf(line)
    const remark: [string, Style][] = line.remark ? [[` (${line.remark})`, { color: MUTED }]] : []
    const point = isPoint ? '•  ' : ''
    write(
      [
        ...(point + lead ? [[`${point}${lead} `, { color: MUTED }] as [string, Style]] : []),
        [line.text, {}],
        ...remark,
      ],
      {
        indent: isPoint ? 12 : 0,
      },
    )
  }

  write([[title, { size: 20, bold: true }]])
  for (const [label, value] of facts)
    write([[`${label}: ${value}`, { color: MUTED, size: BODY_POINTS - 1 }]], { gap: 0 })
  pdf.moveDown(0.6)
  const unwritten =
    'Some letters are missing here, because no font on this computer has them. Word, EPUB and text have them all.'
  for (const notice of missing > 0 ? [unwritten, ...notices] : notices)
    write([[notice, { color: MUTED, size: BODY_POINTS - 1.5 }]])
  for (const { heading, kind, lines } of sections) {
    pdf.moveDown(0.4)
    // A heading never stands alone at the foot of a page.
    if (pdf.y > pdf.page.height - MARGIN_POINTS - 60) pdf.addPage()
    pdf.outline.addItem(heading)
    write([[heading, { size: 14, bold: true }]], { gap: 0.4 })
    for (const line of lines) writeLine(line, kind === 'list')
  }
  numberPages(pdf, fonts)
  pdf.end()
  return finished
}

function numberPages(pdf: PDFKit.PDFDocument, fonts: Typeface[]): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Text below the bottom margin would begin a new page.
    pdf.page.margins.bottom = 0
    pdf.font(fonts[0]!.name).fontSize(8).fillColor(MUTED)
    pdf.text(`${page + 1} / ${count}`, MARGIN_POINTS, pdf.page.height - 40, {
      width: pdf.page.width - 2 * MARGIN_POINTS,
      align: 'center',
    })
  }
}
