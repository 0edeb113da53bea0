import { expect, test, vi } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { phrase, say } from '../../../../../testing/speech.ts'
import type { RecognitionOptions } from '../../../engines/media/speech/speech.ts'

const asked: (string | undefined)[] = []
vi.mock('./recogniser.ts', () => ({
  openRecogniser: async () => ({
    name: 'Stand-in',
    recognise: async (_sound: unknown, { prompt }: RecognitionOptions) => {
      asked.push(prompt)
      return { language: 'en', utterances: [{ start: 0, end: 1, text: 'Ahab' }] }
    },
    close: async () => {},
  }),
}))

test('the recogniser is told of names and terms with each stretch', async () => {
  const path = say(testFiles('prompt').path('phrase.wav'), phrase)
  await convertFile('audio.audio-to-txt', path, { transcription: { prompt: 'Ahab, Pequod' } })
  await convertFile('audio.audio-to-txt', path, {})
  expect(asked).toEqual(['Ahab, Pequod', undefined])
})
