/** Office documents converted to PDF, judged by other programs. */
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { testFiles } from './files.ts'
import { convertFile } from './fixtures/convert.ts'
import { tool } from './fixtures/media.ts'
import { docx, xlsx } from './fixtures/office.ts'
import { pptx } from './fixtures/slides.ts'
import { rtf, savedAs } from './office-files.ts'

export const words = ['Quarterly report', 'The quick brown fox', 'jumps over 12 lazy dogs']

/** A folder for one test file, with documents of `words`. */
export function officeFiles(name: string) {
  const files = testFiles(name)
  const write = (file: string, bytes: Uint8Array) => {
    writeFileSync(files.path(file), bytes)
    return files.path(file)
  }
  /** Writers of `words`, by format; they return the path. */
  const written = {
    docx: () => write('w.docx', docx({ paragraphs: words })),
    rtf: () => write('w.rtf', rtf(words)),
    pptx: () => write('w.pptx', pptx(words)),
    xlsx: () => write('w.xlsx', xlsx({ Sheet: words.map(text => [text]) })),
    doc: () => savedAs(files.path('w.doc'), write('w.docx', docx({ paragraphs: words }))),
  }
  return { files, write, written }
}

/** Converts a file, and has other programs check that the PDF is valid and complete. */
export async function toPdf(job: string, path: string, options: Record<string, unknown> = {}) {
  const { path: pdf, warnings } = await convertFile(`document.${job}`, path, options)
  expect(tool('qpdf', '--check', pdf)).toContain('No syntax or stream encoding errors')
  const fonts = tool('pdffonts', pdf).trim().split('\n').slice(2)
  for (const font of fonts) expect(font).toMatch(/ yes (yes|no) +(yes|no) +\d+ +\d+$/)
  return { pdf, warnings, fonts: fonts.join('\n'), text: tool('pdftotext', '-layout', pdf, '-') }
}

export const pageCount = (pdf: string) => Number(/Pages:\s+(\d+)/.exec(tool('pdfinfo', pdf))?.[1])
