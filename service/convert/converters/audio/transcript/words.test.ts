import { expect, test } from 'vitest'
import { utterancesOf } from '../../../engines/media/whisper/words.ts'
import { cuesOf } from './cues.ts'

test('subtitles use the word times of the engine', () => {
  const spoken = [' And', ' so', ',', ' my', ' fellow', ' Amer', 'icans', ',', ' ask', ' not', '.']
  const more = [' What', ' your', ' country']
  const segments = [
    ...spoken.map((text, index) => ({ text, t0: index * 300, t1: index * 300 + 300 })),
    ...more.map((text, index) => ({ text, t0: 4100 + index * 300, t1: 4400 + index * 300 })),
  ]
  const cues = cuesOf({
    ...{ language: 'en', durationSeconds: 6, engine: { name: 'Test' } },
    segments: utterancesOf({ segments, result: [...spoken, ...more].join('') }, 6),
  })
  expect(cues.map(({ start, lines }) => [start, lines.join(' ')])).toEqual([
    [0, 'And so, my fellow Americans, ask not.'],
    [4100, 'What your country'],
  ])
})
