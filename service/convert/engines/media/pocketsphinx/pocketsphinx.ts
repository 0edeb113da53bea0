/**
 * CMU Pocketsphinx, a small English recogniser that some systems have installed: far behind Whisper, but it needs no
 * download.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { isInstalled, programEnvironment } from '../../common/programs.ts'
import type { EngineReport } from '../../common/report.ts'
import {
  type Recogniser,
  type RecognitionOptions,
  SAMPLE_RATE,
  type SpokenWord,
  type Utterance,
} from '../speech/speech.ts'

const PROGRAM = 'pocketsphinx_continuous'

/** Where Debian's package pocketsphinx-en-us has the English model. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'

/** Maximum length of its output: more than anybody says in five minutes. */
const OUTPUT_LIMIT = 2_000_000

const modelFiles = [`${MODEL}/en-us`, `${MODEL}/en-us.lm.bin`, `${MODEL}/cmudict-en-us.dict`]
const [acoustic = '', language = '', dictionary = ''] = modelFiles
const modelOptions = ['-hmm', acoustic, '-lm', language, '-dict', dictionary]

/** Whether the program and its English model are there; starting it would load the model, which takes as long as a sentence. */
export async function available(): Promise<boolean> {
  return modelFiles.every(path => existsSync(path)) && isInstalled(PROGRAM)
}

/** @param folder for temporary files */
export function pocketsphinx(folder: string): Recogniser {
  return {
    name: 'Pocketsphinx (basic)',
    note: message('speech.basic_recognition'),
    async recognise(sound, options) {
      await using own = await mkdtempDisposable(join(folder, 'sphinx-'))
      const path = join(own.path, 'sound.raw')
      await writeFile(path, sound)
      return {
        language: 'en',
        utterances: utterancesOf(await transcribe(path, sound.length / SAMPLE_RATE, options)),
      }
    },
    close: async () => {},
  }
}

function transcribe(path: string, seconds: number, { onProgress }: RecognitionOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const program = spawn(
    PROGRAM,
    [
      '-infile',
      path,
      '-time',
      'yes',
      '-logfn',
      '/dev/null',
      '-samprate',
      String(SAMPLE_RATE),
      ...modelOptions,
    ],
    { env: programEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let output = ''
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.length > OUTPUT_LIMIT) program.kill('SIGKILL')
    const time = Number(/ (\d+\.\d+) [\d.]+\n[^\n]*$/.exec(output.slice(-300))?.[1] ?? 0)
    onProgress(Math.min(1, time / seconds))
  })
  program.once('error', reject)
  program.once('close', code => {
    if (code === 0) resolve(output)
    else reject(new JobFailure('jobs.engine_crashed', message('speech.recogniser_stopped')))
  })
  return promise
}

/**
 * Parses its output: for each utterance a line of text, then a line for each word with its times and confidence. Words
 * in brackets are noises; a number after a word is one of several pronunciations.
 */
export function utterancesOf(output: string): Utterance[] {
  const utterances: Utterance[] = []
  let words: SpokenWord[] = []
  const finish = () => {
    const [first] = words
    const last = words.at(-1)
    if (first && last) {
      utterances.push({
        start: first.start,
        end: last.end,
        text: words.map(word => word.text).join(' '),
        words,
      })
    }
    words = []
  }
  for (const line of output.split('\n')) {
    const [, text = '', start, end, confidence] = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(line) ?? []
    if (text === '') finish()
    else if (!/^(<.*>|\[.*\]|\+\+.*\+\+)$/.test(text)) {
      words.push({
        start: Number(start),
        end: Number(end),
        text: text.replace(/\(\d+\)$/, ''),
        confidence: Math.min(1, Number(confidence)),
      })
    }
  }
  finish()
  return utterances
}

export async function report(): Promise<EngineReport> {
  const there = await available()
  return {
    name: 'Pocketsphinx (basic English speech)',
    version: null,
    available: there,
    hint: there || process.platform !== 'linux' ? null : message('engines.pocketsphinx_optional'),
  }
}
