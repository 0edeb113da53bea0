import { readFileSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { phrase, say, wordErrors } from '../../../../../testing/speech.ts'
import { available, pocketsphinx, report, utterancesOf } from './pocketsphinx.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'refile-sphinx-'))

async function speech(): Promise<Int16Array<ArrayBuffer>> {
  const folder = await newFolder()
  const raw = join(folder, 'speech.raw')
  const wav = say(join(folder, 'speech.wav'), phrase)
  tool('sox', wav, '-r', '16000', '-c', '1', raw)
  return new Int16Array(new Uint8Array(readFileSync(raw)).buffer)
}

test('its output is parsed: words with their times, without noises', () => {
  const output = [
    ...[
      'hello world',
      '<s> 0.000 0.120 1.000300',
      'hello(2) 0.130 0.350 0.866133',
      '[NOISE] 0.360 0.400 0.5',
    ],
    ...['world 0.410 0.900 1.000100', '</s> 0.910 0.990 1.000000', '', 'again', '<s> 3.0 3.1 1.0'],
    ...['again 3.100 3.500 0.25', '</s> 3.510 3.600 1.0', '++UH++ 3.6 3.7 0.1', ''],
  ].join('\n')
  expect(utterancesOf(output)).toEqual([
    {
      ...{ start: 0.13, end: 0.9, text: 'hello world' },
      words: [
        { start: 0.13, end: 0.35, text: 'hello', confidence: 0.866133 },
        { start: 0.41, end: 0.9, text: 'world', confidence: 1 },
      ],
    },
    {
      start: 3.1,
      end: 3.5,
      text: 'again',
      words: [{ start: 3.1, end: 3.5, text: 'again', confidence: 0.25 }],
    },
  ])
  expect(utterancesOf('')).toEqual([])
  expect(utterancesOf('ERROR: nothing\n\n')).toEqual([])
})

testFull('it understands clear speech, and leaves no file behind', async () => {
  const folder = await newFolder()
  const fractions: number[] = []
  const heard = await pocketsphinx(folder).recognise(await speech(), {
    language: 'auto',
    onProgress: fraction => fractions.push(fraction),
  })
  expect(heard.language).toBe('en')
  expect(wordErrors(phrase, heard.utterances.map(({ text }) => text).join(' '))).toBe(0)
  expect(heard.utterances[0]?.words?.[1]).toMatchObject({ text: 'quick', start: expect.closeTo(0.36, 1) })
  expect(fractions.every(fraction => fraction >= 0 && fraction <= 1)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('it is reported only if it is installed', async () => {
  expect(await report()).toMatchObject({ available: true })
  vi.stubEnv('PATH', await newFolder())
  expect(await available()).toBe(false)
  expect((await report()).available).toBe(false)
  vi.unstubAllEnvs()
})
