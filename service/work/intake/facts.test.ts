import { expect, test } from 'vitest'
import { factsOf } from './facts.ts'

test.each([
  ['a PDF', { format: 'pdf', measure: { pages: 3 } }, { pages: 3 }],
  ['an animated drawing', { format: 'tgs', measure: { pages: 90 } }, { frames: 90, metadata: false }],
  [
    'a video',
    {
      format: 'mp4',
      measure: {
        minutes: 1.025,
        probe: { tracks: [1, 2], chapters: [], video: true, picture: { fps: 29.97 } },
      },
    },
    { seconds: 61.5, audioTracks: 2, chapters: 0, video: true, fps: 29.97 },
  ],
  ['a picture', { format: 'png', measure: { facts: { width: 8, alpha: true } } }, { width: 8, alpha: true }],
  ['an SVG', { format: 'svg', measure: {} }, { frames: 1, metadata: false }],
  ['what could not be measured', { format: 'mp3', measure: {} }, {}],
  ['what nothing is known of', { format: null, measure: {} }, {}],
])('facts of %s', (_, file, facts) => {
  expect(factsOf(file)).toEqual(facts)
})
