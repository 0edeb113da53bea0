import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { ffprobe, make, mediaFolder } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const secondsOf = (path: string) => Number(ffprobe(path).format.duration)

/** Tones with pauses of 2 and 0.5 seconds between them. */
const spoken = (name: string, ...more: string[]) =>
  make(
    at(name),
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='0.3*sin(2*PI*440*t)*(lt(t,1)+between(t,3,4)+gt(t,4.5))':d=5.5",
    ...more,
  )

test('long pauses become as short as their padding, and all else stays', async () => {
  const source = spoken('spoken.wav')
  const cut = await convertFile('audio.wav-to-flac', source, { silence: { cut: true } })
  expect(secondsOf(cut.path)).toBeCloseTo(3.8, 1)
  expect(cut.warnings).toEqual([])
})

testFull('what counts as a long pause, and its padding, can be said', async () => {
  const source = spoken('spoken.wav')
  const close = { cut: true, shortest: 0.1, padding: 0 }
  const none = await convertFile('audio.wav-to-flac', source, { silence: close })
  expect(secondsOf(none.path)).toBeCloseTo(3, 1)
  const deaf = await convertFile('audio.wav-to-flac', source, { silence: { cut: true, shortest: 3 } })
  expect(secondsOf(deaf.path)).toBeCloseTo(5.5, 1)
  const loud = { silence: { cut: true }, loudness: { normalize: true } }
  expect(secondsOf((await convertFile('audio.wav-to-flac', source, loud)).path)).toBeCloseTo(3.8, 1)
})

testFull(
  'a recording of the same format is not copied, and chapters that no longer hold are said',
  async () => {
    const source = spoken('spoken.mp3', '-b:a', '128k')
    expect(
      secondsOf((await convertFile('audio.mp3-to-mp3', source, { silence: { cut: true } })).path),
    ).toBeCloseTo(3.8, 0)
    const chapter = (start: number) =>
      `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 2}\ntitle=From ${start}\n`
    writeFileSync(at('chapters.txt'), `;FFMETADATA1\n${chapter(0)}${chapter(2)}`)
    const book = spoken(
      'spoken.m4b',
      '-i',
      at('chapters.txt'),
      '-map',
      '0:a',
      '-map_metadata',
      '1',
      '-f',
      'mp4',
    )
    const { path, warnings } = await convertFile('audio.m4b-to-mp3', book, { silence: { cut: true } })
    expect(ffprobe(path).chapters ?? []).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('chapters are left out')])
  },
)

test('nothing but silence leaves nothing', async () => {
  const source = make(at('silent.wav'), '-f', 'lavfi', '-i', 'anullsrc=d=2')
  await expect(
    convertFile('audio.wav-to-mp3', source, { silence: { cut: true, padding: 0 } }),
  ).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
})
