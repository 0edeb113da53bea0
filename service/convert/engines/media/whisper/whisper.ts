/** Whisper through whisper.cpp's Node addon: speech in 99 languages, with a downloaded model. */

import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type Recogniser, type RecognitionOptions, SAMPLE_RATE } from '../speech/speech.ts'
import { type Result as Transcribed, utterancesOf } from './words.ts'

/** The part of the addon that is used; its own types are in sources that do not compile under strict rules. */
interface Addon {
  initWhisper(options: { filePath: string; useGpu: boolean }): Promise<Context>
}

interface Context {
  transcribeData(
    sound: ArrayBuffer,
    options: {
      language: string
      prompt?: string
      maxThreads: number
      tokenTimestamps: boolean
      /** Maximum length of a segment in characters; a single token is always allowed. */
      maxLen: number
      onProgress: (percent: number) => void
    },
  ): { promise: Promise<Result> }
  release(): Promise<void>
}

interface Result extends Transcribed {
  language?: string
}

const require = createRequire(import.meta.url)

/** whisper.cpp is not faster with more threads. */
const THREAD_LIMIT = 8

/** Minimum number of samples; shorter audio is padded with silence. */
const MIN_SAMPLES = 1.2 * SAMPLE_RATE

const damagedModel = (options?: ErrorOptions) =>
  new JobFailure('transcription.model_not_installed', message('speech.damaged_model'), options)

/**
 * Loads a model.
 * @param path a file in whisper.cpp's own format
 * @param cores how many processor cores it may use
 * @throws JobFailure `transcription.model_not_installed` if the file is not such a model, `engine_missing`
 */
export async function whisper(path: string, name: string, cores: number): Promise<Recogniser> {
  await checkHeader(path)
  let addon: Addon
  try {
    addon = require('@fugood/whisper.node') as Addon
  } catch (error) {
    throw new JobFailure('jobs.engine_missing', undefined, { cause: error })
  }
  const context = await addon.initWhisper({ filePath: path, useGpu: true }).catch((error: unknown) => {
    throw damagedModel({ cause: error })
  })
  return {
    name,
    recognise: (sound, options) => recognise(context, sound, Math.min(THREAD_LIMIT, cores), options),
    close: () => context.release(),
  }
}

async function recognise(
  context: Context,
  sound: Int16Array<ArrayBuffer>,
  maxThreads: number,
  { language, prompt, onProgress }: RecognitionOptions,
): ReturnType<Recogniser['recognise']> {
  const filled = new Int16Array(Math.max(MIN_SAMPLES, sound.length))
  filled.set(sound)
  const { promise } = context.transcribeData(filled.buffer, {
    language,
    ...(prompt && { prompt }),
    maxThreads,
    // One segment for each token.
    tokenTimestamps: true,
    maxLen: 1,
    // The percentage includes padding after the audio, so it may exceed 100.
    onProgress: percent => onProgress(Math.min(1, percent / 100)),
  })
  const result = await promise
  return {
    language: result.language ?? (language === 'auto' ? 'und' : language),
    utterances: utterancesOf(result, sound.length / SAMPLE_RATE),
  }
}

/**
 * Checks a model's first numbers, since whisper.cpp ends the process on some unexpected values. Format: whisper.cpp,
 * `whisper_model_load`: a magic number, eleven numbers that describe the network, and the size of its table of mel
 * filters.
 */
async function checkHeader(path: string): Promise<void> {
  await using file = await open(path).catch(error => {
    throw damagedModel({ cause: error })
  })
  const header = new DataView(new ArrayBuffer(56))
  const { bytesRead } = await file.read(header, 0, 56, 0)
  const value = (index: number) => header.getInt32(index * 4, true)
  const vocabulary = value(1)
  const mels = value(10)
  const plausible =
    bytesRead === 56 &&
    value(0) === 0x67676d6c &&
    vocabulary >= 51_864 &&
    vocabulary <= 51_866 &&
    value(2) === 1500 &&
    value(6) === 448 &&
    [value(3), value(4), value(5), value(7), value(8), value(9)].every(size => size > 0 && size <= 4096) &&
    (mels === 80 || mels === 128) &&
    value(12) === mels &&
    value(13) === 201
  if (!plausible) throw damagedModel()
}
