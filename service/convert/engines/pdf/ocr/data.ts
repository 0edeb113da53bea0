/** Tesseract's language data: English comes with Refile, others are stored with the speech models. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { modelFolders } from '../../../../shared/model-folders.ts'

const require = createRequire(import.meta.url)

/** A language by Tesseract's name, and its data. */
export interface Language {
  name: string
  data: Uint8Array
}

/** Languages that have their own packages; https://github.com/naptha/tessdata */
const packaged: Record<string, string> = {
  eng: '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
}

/** The file of a language that somebody put into `tessdata` of a model folder. */
function installed(language: string): string | undefined {
  return modelFolders()
    .map(folder => join(folder, 'tessdata', `${language}.traineddata`))
    .find(path => existsSync(path))
}

/**
 * Loads language data.
 * @param names Tesseract's names, joined by `+`, such as `eng+deu`
 * @throws JobFailure engine_missing if a language is not installed
 */
export async function loadLanguages(names: string): Promise<Language[]> {
  const unique = [...new Set(names.split('+'))]
  return Promise.all(
    unique.map(async name => {
      const own = installed(name)
      if (own) return { name, data: await readFile(own) }
      const file = packaged[name]
      if (file) return { name, data: await promisify(gunzip)(await readFile(require.resolve(file))) }
      throw new JobFailure('jobs.engine_missing', message('ocr.language_missing', { language: name }))
    }),
  )
}
