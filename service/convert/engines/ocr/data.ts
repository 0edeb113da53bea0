/** Tesseract's language data: English comes with Refile, others are stored with the speech models. */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

const require = createRequire(import.meta.url)

/** Languages that have their own packages; https://github.com/naptha/tessdata */
const packaged: Record<string, string> = {
  eng: '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
}

/** The file of a language that somebody put into `tessdata` of a model folder. */
function installed(language: string): string | undefined {
  const folders = (process.env.REFILE_MODELS ?? '').split(delimiter).filter(Boolean)
  return folders
    .map(folder => join(folder, 'tessdata', `${language}.traineddata`))
    .find(path => existsSync(path))
}

/**
 * Puts language data into a folder for Tesseract.
 * @param languages Tesseract's names, joined by `+`, such as `eng+deu`
 * @param folder of the task; the data are deleted with it
 * @throws JobFailure engine_missing if a language is not installed
 */
export async function provideLanguages(languages: string, folder: string): Promise<string> {
  const data = join(folder, 'tessdata')
  await mkdir(data, { recursive: true })
  for (const language of languages.split('+')) {
    const path = join(data, `${language}.traineddata`)
    if (existsSync(path)) continue
    const own = installed(language)
    const file = packaged[language]
    if (own) await copyFile(own, path)
    else if (file) await writeFile(path, await promisify(gunzip)(await readFile(require.resolve(file))))
    else throw new JobFailure('jobs.engine_missing', message('ocr.language_missing', { language }))
  }
  return data
}
