/** Transcribes the speech in a media file. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import { render } from '../../../../shared/messages/render.ts'
import { formats } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { stretchesOf } from '../../../engines/media/speech/pauses.ts'
import { decodeSpeech, Sound } from '../../../engines/media/speech/sound.ts'
import type { Recogniser, Utterance } from '../../../engines/media/speech/speech.ts'
import { damageOf } from '../damage.ts'
import { pickTrack } from '../plan.ts'
import { openSource } from '../source.ts'
import {
  isTranscriptFormat,
  type Transcript,
  type TranscriptFormat,
  writeTranscript,
} from '../transcript/index.ts'
import { formatsOf, LIMIT_MINUTES, type TranscriptionOptions } from './options.ts'
import { openRecogniser } from './recogniser.ts'

/** Shares of the work: decoding comes before recognition, writing after it. */
const DECODED_SHARE = 0.05
const HEARD_SHARE = 0.98

export async function convert(task: Task<{ transcription: TranscriptionOptions }>): Promise<Output[]> {
  const { transcription: options } = task.options
  if (!isTranscriptFormat(task.target)) throw new Error(`no transcript is written as ${task.target}`)
  const targets = formatsOf(task.target, options)
  const path = join(task.folder, 'speech.raw')
  const source = await openSource(task)
  const { tracks, seconds, estimated } = source.media
  const recogniser = await openRecogniser(task, options)
  try {
    const track = pickTrack(tracks, options.track)
    const decoded = await decodeSpeech(source.open(), path, {
      track: track.position,
      duration: (estimated ? null : seconds) ?? undefined,
      limit: LIMIT_MINUTES * 60,
      onProgress: ({ time, fraction }) => {
        task.consumed({ minutes: time / 60 })
        if (fraction !== null) task.progress(fraction * DECODED_SHARE)
      },
    })
    const damage = damageOf(source, { track, sampleRate: track.sampleRate, copy: false }, decoded)
    if (damage) task.warn(damage)
    await using sound = await Sound.open(path)
    task.consumed({ minutes: sound.seconds / 60 })
    const transcript = await transcribe(task, sound, recogniser, options)
    if (options.mode === 'meeting-intelligence') task.warn(message('speech.no_speakers'))
    return await write(task, transcript, targets)
  } finally {
    await Promise.all([recogniser.close(), rm(path, { force: true })])
  }
}

/** Recognises the speech of one stretch of the media file after another. */
async function transcribe(
  task: Task,
  sound: Sound,
  recogniser: Recogniser,
  options: TranscriptionOptions,
): Promise<Transcript> {
  const stretches = stretchesOf(await sound.levels())
  const total = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  const segments: Utterance[] = []
  let { language } = options
  let listened = 0
  for (const { start, end } of stretches) {
    const heard = await recogniser.recognise(await sound.read(start, end), {
      language,
      prompt: options.prompt,
      onProgress: fraction =>
        task.progress(
          DECODED_SHARE + ((listened + fraction * (end - start)) / total) * (HEARD_SHARE - DECODED_SHARE),
        ),
    })
    segments.push(...heard.utterances.map(utterance => later(utterance, start)))
    // The first detected language is assumed throughout: detecting it again costs time and causes more errors.
    if (language === 'auto' && heard.utterances.length > 0) language = heard.language
    listened += end - start
  }
  if (segments.length === 0) task.warn(message('speech.nothing_recognised'))
  return {
    language: segments.length === 0 || language === 'auto' ? 'und' : language,
    durationSeconds: sound.seconds,
    segments,
    engine: { name: recogniser.name, ...(recogniser.note ? { note: render(recogniser.note) } : {}) },
  }
}

function later({ words, ...utterance }: Utterance, by: number): Utterance {
  const shift = <T extends { start: number; end: number }>(timed: T): T => ({
    ...timed,
    start: timed.start + by,
    end: timed.end + by,
  })
  return { ...shift(utterance), ...(words ? { words: words.map(shift) } : {}) }
}

async function write(
  task: Task,
  transcript: Transcript,
  targets: readonly TranscriptFormat[],
): Promise<Output[]> {
  const outputs: Output[] = []
  for (const target of targets) {
    const suffix = formats[target].suffixes[0] ?? target
    const path = join(task.folder, `output.${suffix}`)
    await writeFile(path, await writeTranscript(target, transcript, { title: task.input.stem }))
    outputs.push({ path, name: `${task.input.stem}.${suffix}` })
  }
  return outputs
}
