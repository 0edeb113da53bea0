/** Subtitles that are pictures, against the texts that they were drawn from. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { type DrawnCue, type Look, supOf } from '../../../../../testing/fixtures/sup.ts'
import { type Colours, vobsubOf } from '../../../../../testing/fixtures/vobsub.ts'
import { languageOf } from './drawn.ts'

const files = testFiles('drawn')
const sup = (cues: readonly DrawnCue[], look: Look) => files.write(supOf(cues, look), 'sup')

const cues: DrawnCue[] = [
  { start: 1.001, end: 2.5, text: 'If I ever see you here again,\nI will call the police!' },
  { start: 3.041, end: 4.2, text: 'SHERIFF’S OFFICE', forced: true },
  { start: 4.2, end: 6.789, text: '- You said 7:45, not 8:30.\n- Nothing is lost.' },
]
const clock = (seconds: number) => `00:00:0${seconds.toFixed(3).replace('.', ',')}`
const srtOf = (some: readonly DrawnCue[]) =>
  some
    .map(({ start, end, text }, nth) => `${nth + 1}\n${clock(start)} --> ${clock(end)}\n${text}`)
    .join('\n\n')
const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r', '').replaceAll("'", '’').trim()

const small: Look = { width: 1280, height: 720, size: 38, stroke: 3 }
const looks: [name: string, look: Look, shown: DrawnCue[]][] = [
  ['light with an outline', small, cues],
  ['yellow without', { ...small, fill: 'yellow', stroke: 0, font: 'Liberation-Sans' }, cues.slice(0, 1)],
  ['dark with a light outline', { ...small, fill: 'black', outline: 'white' }, cues.slice(2)],
]

describe('subtitles of a Blu-ray', () => {
  it.each(looks)('are read at their exact times: %s', async (_, look, shown) => {
    const { outputs, warnings } = await convertFile('video.sup-to-srt', sup(shown, look))
    expect(read(outputs[0]!.path)).toBe(srtOf(shown))
    expect(warnings).toEqual([])
    if (shown !== cues) return expect(outputs).toHaveLength(1)
    // Those that are always shown are also a file of their own.
    expect(outputs[1]!.name).toMatch(/\.forced\.srt$/)
    expect(read(outputs[1]!.path)).toBe(srtOf([cues[1]!]))
  })

  it('that show no letters are counted', async () => {
    const dot = { start: 5, end: 6, text: '·' }
    const { path, warnings } = await convertFile('video.sup-to-srt', sup([cues[0]!, dot], small))
    expect(read(path)).toBe(srtOf(cues.slice(0, 1)))
    expect(warnings).toEqual([expect.stringContaining('1 subtitle that is a picture was left out')])
  })

  const whole = supOf(cues.slice(0, 1), small)
  const screen = Buffer.from(whole)
  screen.writeUInt16BE(65_535, 13)
  screen.writeUInt16BE(65_535, 15)
  it.each([
    ['of a screen with 4 gigapixels', screen],
    ['that breaks off', whole.subarray(0, 900)],
    ['of nothing but a mark', Buffer.from('PG')],
  ])('are refused: a file %s', async (_, file) => {
    await expect(convertFile('video.sup-to-srt', files.write(file, 'sup'))).rejects.toMatchObject({
      code: expect.stringMatching(/^jobs\.(corrupt_input|unsupported_input|too_large)$/),
    })
  })
})

it.each([
  ['a DVD', 'dvdsub', 'mkv'],
  ['television', 'dvbsub', 'ts'],
])('subtitles of %s in a video are read like those of text', async (_, codec, box) => {
  const look = { width: 720, height: 576, size: 30, stroke: 2, font: 'Liberation-Sans' }
  const black = [
    '-f',
    'lavfi',
    '-i',
    'color=black:s=720x576:r=5:d=8',
    '-copyts',
    '-i',
    sup(cues.slice(2), look),
  ]
  const video = files.path(`video.${box}`)
  tool('ffmpeg', '-v', 'error', ...black, '-map', '0', '-map', '1', '-c:s', codec, video)
  // ffmpeg writes that they stay as long as can be, and discs when they end: in units of 1024 of 90,000 in a second.
  if (codec === 'dvdsub') {
    const bytes = readFileSync(video)
    // A mark of the end follows the longest time and a place.
    const isStop = (at: number) => bytes.readUInt16BE(at) === 0xffff && bytes.readUInt16BE(at + 4) === 0x02ff
    const stop = Array.from({ length: bytes.length - 6 }, (_, at) => at).find(isStop)!
    bytes.writeUInt16BE(Math.round((2.589 * 90_000) / 1024), stop)
    writeFileSync(video, bytes)
  }
  const { path } = await convertFile(`video.${box}-to-vtt`, video)
  expect(read(path)).toContain('\n00:04.200 --> ')
  const [, end] = / --> 00:0([\d.]+)\n/.exec(read(path)) ?? []
  if (codec === 'dvdsub') expect(Math.abs(Number(end) - 6.789)).toBeLessThan(1024 / 90_000)
  expect(read(path)).toContain(`\n${cues[2]!.text}`)
})

describe('subtitles of a DVD without their palette', () => {
  const words = (path: string) =>
    read(path)
      .split('\n\n')
      .map(block => block.split('\n').slice(2).join('\n'))
  const orders: Colours[] = [
    ['around', 'letters', 'outline', 'edge'],
    ['around', 'edge', 'outline', 'letters'],
    ['around', 'outline', 'letters', 'edge'],
    ['around', 'letters', 'edge', 'outline'],
  ]
  it.each(orders)(
    'are read whatever the order of colours, at their times: %s, %s, %s, %s',
    async (...colours) => {
      const { outputs, warnings } = await convertFile(
        'video.vobsub-to-srt',
        files.write(vobsubOf([cues], colours), 'sub'),
      )
      expect(words(outputs[0]!.path)).toEqual(cues.map(({ text }) => text))
      expect(outputs[1]!.name).toMatch(/\.forced\.srt$/)
      expect(words(outputs[1]!.path)).toEqual([cues[1]!.text])
      expect(warnings).toEqual([])
      const times = [...read(outputs[0]!.path).matchAll(/00:00:0(\d),(\d{3})/g)]
      const found = times.map(([, whole, rest]) => Number(`${whole}.${rest}`))
      const wanted = cues.flatMap(({ start, end }) => [start, end])
      for (const [nth, time] of wanted.entries())
        expect(Math.abs(found[nth]! - time)).toBeLessThan(1024 / 90_000)
    },
  )

  it('are chosen by number, where one language begins after megabytes of another', async () => {
    const [first, second] = [[cues.slice(0, 1)], [[], cues.slice(2)]].map(tracks => vobsubOf(tracks))
    const many = Array.from({ length: Math.ceil(8_000_000 / first!.length) }, () => first!)
    const disc = files.write(Buffer.concat([...many, second!, first!]), 'sub')
    const { path } = await convertFile('video.vobsub-to-srt', disc, { track: '2' })
    expect(words(path)).toEqual([cues[2]!.text])
    const small = files.write(vobsubOf([cues.slice(0, 1), cues.slice(2)]), 'sub')
    const { outputs } = await convertFile('video.vobsub-to-vtt', small, { track: 'all' })
    expect(outputs.map(({ name }) => name)).toEqual([
      expect.stringMatching(/\.1\.vtt$/),
      expect.stringMatching(/\.2\.vtt$/),
    ])
    await expect(convertFile('video.vobsub-to-srt', small, { track: '3' })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining('Choose one of: 1, 2'),
    })
  })

  it('that break off are refused or read as far as they go', async () => {
    const whole = vobsubOf([cues.slice(0, 1)])
    await expect(
      convertFile('video.vobsub-to-srt', files.write(whole.subarray(0, 500), 'sub')),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^jobs\.(corrupt_input|unsupported_input)$/),
    })
  })
})

it('the language of a track is the one that is read', () => {
  const tags = ['ger', 'de', 'fra', 'chi', null, 'xx-', 'tlh']
  expect(tags.map(languageOf)).toEqual(['deu', 'deu', 'fra', 'chi_sim', 'eng', 'eng', 'eng'])
})
