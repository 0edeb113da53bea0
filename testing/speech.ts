/** Spoken test recordings, and how accurately they were recognised. */
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { made } from './fixtures/cache.ts'
import { isFull } from './fixtures/full.ts'
import { tool } from './fixtures/media.ts'

/** A sentence that a basic recogniser should understand without a mistake. */
const sentence = 'the quick brown fox jumps over the lazy dog and then runs back to the forest before sunset'

/** Its beginning, for where that is enough: recognising it takes a third of the time. */
export const phrase = 'the quick brown fox'

/** Speaks a text with one of flite's voices into a wav file, and returns its path. */
export function say(path: string, text = sentence, voice = 'rms'): string {
  return made(path, 'flite', [voice, text], () => {
    tool('flite', '-voice', voice, '-t', text, '-o', path)
  })
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? []

/** Word error rate: words to change, insert or delete, divided by the number of words that were spoken. */
export function wordErrors(said: string, heard: string): number {
  const [right, found] = [wordsOf(said), wordsOf(heard)]
  let row = found.map((_, nth) => nth + 1)
  for (const [nth, word] of right.entries()) {
    let corner = nth
    let left = nth + 1
    row = row.map((above, column) => {
      const cost = Math.min(above + 1, left + 1, corner + (word === found[column] ? 0 : 1))
      corner = above
      left = cost
      return cost
    })
  }
  return (row.at(-1) ?? right.length) / right.length
}

const folder = resolve(import.meta.dirname, '../../shared/models')

const model = join(folder, 'for-tests-ggml-tiny.bin')

/**
 * whisper.cpp's own test model, which has the right structure but knows no words; null if it is missing, and in the short suite,
 * since it searches for words for a long time.
 */
export const testModel: string | null = isFull && existsSync(model) ? model : null

/** A folder of models with the test model under a real model's name. */
export function modelFolder(name = 'ggml-tiny.bin'): string {
  const models = join(mkdtempSync(join(tmpdir(), 'refile-models-')), 'models')
  mkdirSync(models)
  if (testModel) symlinkSync(testModel, join(models, name))
  return models
}
