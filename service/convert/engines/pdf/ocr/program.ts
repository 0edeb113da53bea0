/** Tesseract as the system has it: it reads what its WebAssembly reads, in two thirds of the time. */

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInstalled, programEnvironment } from '../../common/programs.ts'
import { elementsOf, textOf, type XmlElement } from '../../common/xml/element.ts'
import { readTree } from '../../common/xml/tree.ts'
import type { Language } from './data.ts'
import { type DrawnPage, greymap, isWord, type ReadLine } from './model.ts'

/** Maximum length of what it answers: more than any page holds. */
const OUTPUT_LIMIT = 50_000_000

/** Reads the lines of a page; undefined if the program fails, whatever the reason. */
export type ReadPage = (page: DrawnPage) => Promise<ReadLine[] | undefined>

/**
 * Prepares the program for languages, whose data it gets from Refile.
 * @param folder for the data
 * @returns undefined if the program is not installed
 */
export async function installedTesseract(
  languages: readonly Language[],
  folder: string,
): Promise<ReadPage | undefined> {
  if (!(await isInstalled('tesseract'))) return undefined
  const data = join(folder, 'tessdata')
  await mkdir(data, { recursive: true })
  await Promise.all(languages.map(one => writeFile(join(data, `${one.name}.traineddata`), one.data)))
  const names = languages.map(({ name }) => name).join('+')
  return async page => {
    const settings = ['--tessdata-dir', data, '-l', names, '--oem', '1', '--psm', '3']
    const answer = await run([...settings, '--dpi', `${Math.round(page.dpi)}`], greymap(page))
    try {
      return answer === undefined ? undefined : linesOf(answer)
    } catch {
      return undefined
    }
  }
}

/** One thread a page: several pages are read at once. */
const run = (settings: string[], picture: Uint8Array): Promise<string | undefined> =>
  new Promise(resolve => {
    const program = execFile(
      'tesseract',
      ['stdin', 'stdout', ...settings, '-c', 'tessedit_create_hocr=1'],
      { env: { ...programEnvironment(), OMP_THREAD_LIMIT: '1' }, maxBuffer: OUTPUT_LIMIT, windowsHide: true },
      (error, output) => resolve(error ? undefined : output),
    )
    // A program that ended has said why by its exit code.
    program.stdin?.on('error', () => {}).end(picture)
  })

/** The lines of hOCR; http://kba.github.io/hocr-spec/1.2/ */
function linesOf(hocr: string): ReadLine[] {
  const lines: ReadLine[] = []
  const visit = (element: XmlElement) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = valuesOf(element, 'bbox')
    const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
    const line = lines.at(-1)
    const [height] = valuesOf(element, 'x_size')
    if (height !== undefined) {
      // Lines that run up or down have none, or a steep one.
      const [slope, offset = 0] = valuesOf(element, 'baseline')
      const level = slope !== undefined && Math.abs(slope) < 1
      const baseline = level ? y1 + offset + (slope * box.width) / 2 : (y0 + y1) / 2
      lines.push({ words: [], baseline, height, level })
    } else if (element.attributes.class === 'ocrx_word' && line) {
      const word = { ...box, text: textOf(element), confidence: (valuesOf(element, 'x_wconf')[0] ?? 0) / 100 }
      if (isWord(word)) line.words.push(word)
      return
    }
    elementsOf(element).forEach(visit)
  }
  visit(readTree(hocr).root)
  return lines
}

/** The numbers of a property in an element's title, such as `bbox 1 2 3 4; x_wconf 91`. */
function valuesOf({ attributes: { title = '' } }: XmlElement, property: string): number[] {
  const values = title.split(';').find(one => one.trim().startsWith(`${property} `))
  return values?.trim().split(' ').slice(1).map(Number) ?? []
}
