/** Tesseract as the system has it: it reads what its WebAssembly reads, in two thirds of the time. */

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInstalled, programEnvironment } from '../../common/programs.ts'
import type { Language } from './data.ts'
import { linesOf } from './hocr.ts'
import { type DrawnPage, greymap, type ReadLine } from './model.ts'

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
    const unlike = ['-c', `tessedit_char_blacklist=${page.unlike ?? ''}`]
    const answer = await run([...settings, '--dpi', `${Math.round(page.dpi)}`, ...unlike], greymap(page))
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
