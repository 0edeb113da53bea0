import { describe, expect, it } from 'vitest'
import { recordingOf } from './description.ts'
import { parseMetadata } from './ffmetadata.ts'
import { isRecording } from './recording.ts'

const log = `Input #0, matroska,webm, from 'file:/a.mka':
  Duration: 00:01:02.50, start: 0.000000, bitrate: 128 kb/s
  Stream #0:0(eng): Audio: aac (LC), 44100 Hz, stereo, fltp (default)
Stream mapping:
`
const metadata = `;FFMETADATA1
title=A title\\
in two lines
__proto__=polluted
constructor=nobody
[STREAM]
[CHAPTER]
TIMEBASE=1/1000
START=0
END=31250
title=One
`

describe('a recording', () => {
  const media = recordingOf(log, parseMetadata(metadata))

  it('survives JSON unchanged, whatever its tags are called', () => {
    const copy: unknown = JSON.parse(JSON.stringify(media))
    expect(isRecording(copy)).toBe(true)
    const { tags, ...rest } = copy as typeof media
    expect(rest).toMatchObject({ seconds: 62.5, chapters: [{ start: 0, end: 31.25, title: 'One' }] })
    expect(Object.entries(tags)).toEqual([
      ['title', 'A title\nin two lines'],
      ['__proto__', 'polluted'],
      ['constructor', 'nobody'],
    ])
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
  })

  it.each([
    ['nothing', null],
    ['a list', []],
    ['one that another version has stored', { ...media, version: '0.0.1' }],
  ])('is not %s', (_, value) => expect(isRecording(value)).toBe(false))
})
