import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkEpubs } from '../../../../../testing/books.ts'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { converterOf, convertFile, measureFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'
import { testService } from '../../../../../testing/service.ts'
import { modelFolder, phrase, say, testModel, wordErrors } from '../../../../../testing/speech.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
let speech = ''

beforeAll(() => {
  speech = say(at('speech.wav'))
})

beforeEach(() => {
  vi.stubEnv('REFILE_MODELS', '')
  return () => void vi.unstubAllEnvs()
})

const transcribe = (target: string, path: string, transcription = {}) =>
  convertFile(`audio.audio-to-${target}`, path, { transcription })

/** The words of an HTML or XML file. */
const textOf = (markup: Uint8Array) =>
  Buffer.from(markup)
    .toString()
    .replace(/<[^>]+>/g, ' ')

/** The words of a subtitle file, as ffmpeg reads them. */
function subtitles(path: string): { text: string; end: number } {
  const srt = tool('ffmpeg', '-nostdin', '-v', 'error', '-i', path, '-f', 'srt', '-')
  const [minutes = 0, seconds = 0] = (/--> \d\d:(\d\d):(\d\d,\d+)\s[^>]*$/.exec(srt)?.slice(1) ?? []).map(
    part => Number(part.replace(',', '.')),
  )
  return { text: srt.replace(/^\d+$|^.* --> .*$/gm, ' '), end: minutes * 60 + seconds }
}

/** Reads the words of each kind of output with a program that did not write it. */
const readers: Record<string, (path: string) => string> = {
  txt: path => readFileSync(path, 'utf8'),
  markdown: path => readFileSync(path, 'utf8'),
  srt: path => subtitles(path).text,
  vtt: path => subtitles(path).text,
  pdf: path => tool('pdftotext', path, '-'),
  json: path => JSON.parse(readFileSync(path, 'utf8')).text,
  word: path => textOf(unzipSync(readFileSync(path))['word/document.xml'] ?? new Uint8Array()),
  epub: path =>
    Object.entries(unzipSync(readFileSync(path)))
      .filter(([name]) => /\.xhtml$/.test(name) && !/nav/.test(name))
      .map(([, content]) => textOf(content))
      .join(' '),
}

/** Only the output is left, and in particular not the decoded audio. */
const expectOnly = async (own: string, output: string) =>
  expect(await readdir(own)).toEqual([output.split('/').at(-1)])

function expectForward(progress: readonly { fraction: number }[]): void {
  const fractions = progress.map(({ fraction }) => fraction)
  expect(fractions.length).toBeGreaterThan(0)
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
}

/** The part of a text between the first and the last word of the sentence. */
const spoken = (text: string) => /the\s+quick[\s\S]*(sunset|dog|fox)/.exec(text)?.[0] ?? text

const spokenAs: [target: string, source: string, encoding: string[]][] = [
  ['txt', 'mp3', ['-b:a', '64k']],
  ['srt', 'mp4', ['-c:a', 'aac']],
  ['vtt', 'mkv', ['-c:a', 'flac']],
  ['markdown', 'opus', []],
  ['word', 'wma', ['-b:a', '128k']],
  ['pdf', 'm4a', []],
  ['epub', 'ogg', []],
  ['json', 'flac', []],
]

describe.each(few(1, spokenAs))('%s', (target, source, encoding) => {
  test(`from ${source}: the spoken words, with at most one wrong`, async () => {
    const path = make(at(`speech.${source}`), '-i', say(at('phrase.wav'), phrase), ...encoding)
    const { outputs, path: output, progress, warnings, folder: own } = await transcribe(target, path)
    expect(outputs).toHaveLength(1)
    const text = readers[target]?.(output) ?? ''
    expect(wordErrors(phrase, spoken(text)) * phrase.split(' ').length).toBeLessThan(1.5)
    expect(warnings[0]).toContain('speech in another language becomes English words')
    await expectOnly(own, output)
    expectForward(progress)
  })
})

const targets = ['srt', 'vtt', 'txt', 'markdown', 'word', 'pdf', 'epub', 'json']
const everyFormat = {
  ...{ includeSrt: true, includeVtt: true, includeTxt: true, includeMarkdown: true },
  ...{ includeDocx: true, includePdf: true, includeEpub: true, includeJson: true },
}

testFull('additional formats are written beside the target, each once', async () => {
  const path = say(at('phrase.wav'), phrase)
  const { outputs, warnings } = await transcribe('srt', path, {
    mode: 'meeting-intelligence',
    ...everyFormat,
  })
  expect(warnings.join(' ')).toContain('Speakers are not named')
  expect(outputs.map(({ name }) => name)).toEqual([
    ...['phrase.srt', 'phrase.vtt', 'phrase.txt', 'phrase.md', 'phrase.docx', 'phrase.pdf', 'phrase.epub'],
    'phrase.json',
  ])
  for (const [nth, target] of targets.entries()) {
    expect(
      wordErrors(phrase, spoken(readers[target]?.(outputs[nth]?.path ?? '') ?? '')),
      target,
    ).toBeLessThan(0.3)
  }
  const markdown = readFileSync(outputs[3]?.path ?? '', 'utf8')
  expect(markdown).toContain('Pocketsphinx (basic)')
  const epub = outputs[6]?.path ?? ''
  expect((await checkEpubs(epub)).get(epub)).toEqual([])
})

testFull('times are those of the recording, including long silences', async () => {
  const path = make(
    at('pauses.flac'),
    ...[
      '-i',
      say(at('phrase.wav'), phrase),
      '-af',
      'aformat=s16:16000:mono,adelay=20000,asplit[a][b];[b]adelay=30000[c];[a][c]concat=v=0:a=1',
    ],
  )
  const length = Number(
    tool('ffprobe', '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path),
  )
  const { path: output } = await transcribe('srt', path)
  const starts = [...readFileSync(output, 'utf8').matchAll(/00:(\d\d):(\d\d),\d+ -->/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  expect(starts[0]).toBeGreaterThanOrEqual(20)
  expect(starts[0]).toBeLessThan(22)
  expect(subtitles(output).end).toBeLessThanOrEqual(length + 0.1)
  expect(subtitles(output).end).toBeGreaterThan(length - 2)
  expect(subtitles(output).text.match(/quick/g)).toHaveLength(2)
})

testFull('of several audio tracks, the one in the requested language is transcribed', async () => {
  const other = say(at('other.wav'), 'good morning and welcome to the show', 'slt')
  const path = make(
    at('tracks.mkv'),
    ...['-i', other, '-i', say(at('phrase.wav'), phrase), '-map', '0:a', '-map', '1:a', '-c:a', 'flac'],
    ...['-metadata:s:a:0', 'language=deu', '-metadata:s:a:1', 'language=eng'],
  )
  const {
    path: output,
    warnings,
    progress,
    folder: own,
  } = await transcribe('txt', path, { track: 'eng', mode: 'quality' })
  await expectOnly(own, output)
  expectForward(progress)
  expect(wordErrors(phrase, spoken(readFileSync(output, 'utf8')))).toBe(0)
  expect(warnings[0]).toContain('speech in another language becomes English words')
  // A more expensive mode must be better, or say that it is not.
  expect(warnings.join(' ')).toContain('no better than Fast, which costs less')
})

testFull('silence says so, whatever it becomes', async () => {
  const path = make(at('silence.wav'), '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '12')
  for (const target of targets) {
    const { path: output, warnings } = await transcribe(target, path)
    const said = target === 'json' ? /^$/ : 'No speech was recognised'
    expect(readers[target]?.(output).replace(/\s+/g, ' '), target).toMatch(said)
    expect(warnings).toContain('No speech was recognised in this recording.')
  }
})

describe('what cannot be transcribed', () => {
  testFull('a video without sound', async () => {
    const path = make(at('mute.mp4'), '-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-pix_fmt', 'yuv420p')
    await expect(transcribe('txt', path)).rejects.toMatchObject({ code: 'jobs.no_audio_track' })
  })

  testFull('a file that is not a recording', async () => {
    writeFileSync(at('text.mp3'), 'This is no recording.'.repeat(100))
    await expect(transcribe('txt', at('text.mp3'))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  testFull('a truncated video', async () => {
    const path = make(at('cut.mp4'), '-i', speech, '-c:a', 'aac')
    truncateSync(path, 20_000)
    await expect(transcribe('txt', path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  test('a language that no installed engine knows', async () => {
    const failed = transcribe('txt', speech, { language: 'de' })
    await expect(failed).rejects.toMatchObject({
      code: 'transcription.model_not_installed',
      detail: expect.stringContaining('Download Whisper base in Settings'),
    })
  })

  test('anything, without a model or another engine', async () => {
    const { ffmpeg } = await import('../../../engines/media/ffmpeg/locate.ts')
    await ffmpeg()
    vi.stubEnv('PATH', await mkdtemp(join(tmpdir(), 'refile-empty-')))
    const failed = transcribe('txt', speech, { mode: 'quality' })
    await expect(failed).rejects.toMatchObject({
      code: 'transcription.model_not_installed',
      detail: expect.stringContaining('Whisper large v3 turbo, compact'),
    })
  })
})

test('a recording is measured in minutes, and transcriptions run one at a time', async () => {
  const { minutes } = await measureFile('audio.audio-to-txt', speech)
  expect(minutes).toBeCloseTo(6.5 / 60, 2)
  const { limits, seconds } = converterOf('audio.audio-to-txt')
  expect(limits).toMatchObject({ concurrent: 1, minutes: 300 })
  expect([seconds(1, 0), seconds(60, 0)]).toEqual([600, 10_800])
})

describeFull('with a Whisper model', testModel !== null, () => {
  test('it is preferred to other engines, and unrecognised speech is reported', async () => {
    vi.stubEnv('REFILE_MODELS', modelFolder())
    const path = make(at('short.wav'), '-i', speech, '-t', '1.5')
    const {
      path: output,
      progress,
      warnings,
    } = await transcribe('markdown', path, { language: 'en', mode: 'quality' })
    const text = readFileSync(output, 'utf8')
    expect(text).toContain('**Recognised by:** Whisper tiny')
    expect(text).toContain('No speech was recognised')
    expect(warnings[0]).toContain('Whisper large v3 turbo, compact makes far fewer mistakes')
    expect(progress.length).toBeGreaterThan(1)
    expect(Math.max(...progress.map(({ fraction }) => fraction))).toBeLessThanOrEqual(1)
  }, 240_000)

  test('an English-only model is not used for German', async () => {
    vi.stubEnv('REFILE_MODELS', modelFolder('ggml-tiny.en.bin'))
    await expect(transcribe('txt', speech, { language: 'de' })).rejects.toMatchObject({
      code: 'transcription.model_not_installed',
      detail: expect.stringContaining('know English only, not German'),
    })
  })

  test('a damaged model is named as such', async () => {
    const models = join(await mkdtemp(join(tmpdir(), 'refile-models-')), 'models')
    await mkdir(models)
    const damaged = readFileSync(testModel as string)
    damaged.fill(0xee, 4, 60)
    writeFileSync(join(models, 'ggml-tiny.bin'), damaged)
    vi.stubEnv('REFILE_MODELS', models)
    await expect(transcribe('txt', speech)).rejects.toMatchObject({
      code: 'transcription.model_not_installed',
      detail: expect.stringContaining('damaged'),
    })
  })
})

testFull('a program gets the outputs as a ZIP, priced by minute and mode', async () => {
  const service = await testService()
  const options = { transcription: { mode: 'quality', includeSrt: true } }
  const bytes = new Uint8Array(readFileSync(say(at('phrase.wav'), phrase)))
  const answer = await service.submit('speech.wav', bytes, 'txt', {
    options: JSON.stringify(options),
  })
  expect(answer.status).toBe(202)
  const { id } = (await answer.json()) as { id: string }
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded', error: null })
  expect(await service.balance()).toBe(495)
  const zip = await (await service.call(`/convert/job/${id}/download`)).arrayBuffer()
  const files = unzipSync(new Uint8Array(zip))
  expect(Object.keys(files).toSorted()).toEqual(['speech.srt', 'speech.txt'])
  const text = Buffer.from(files['speech.txt']!).toString()
  expect(wordErrors(phrase, spoken(text))).toBe(0)
  // Both name the engine, and a price is never charged without a note.
  expect(text).toContain('[Transcribed automatically by Pocketsphinx (basic)]')
  expect(Buffer.from(files['speech.srt']!).toString()).toContain('[Transcribed automatically by Pocketsphinx')
})
