/** What a video says of itself and its tracks stays, or a warning names it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, onlyFull } from '../../../../testing/fixtures/full.ts'
import { ffprobe, make, mediaFolder, tool } from '../../../../testing/fixtures/media.ts'
import { boxNames } from './boxes.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=0.4']
const sound = ['-f', 'lavfi', '-i', 'sine=d=0.4']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const languages = ['fre', 'cze', 'rum', 'slo', 'deu', 'jpn']

beforeAll(() => {
  make(
    at('phone.mov'),
    ...[...picture, ...sound, ...h264, '-c:a', 'aac', '-movflags', 'use_metadata_tags'],
    ...['-metadata', 'creation_time=2021-05-06T07:08:09Z', '-metadata', 'com.apple.quicktime.make=Apple'],
    ...['-metadata', 'com.apple.quicktime.location.ISO6709=+48.1374+011.5755+519.000/'],
  )
  if (!isFull) return
  writeFileSync(at('words.srt'), '1\n00:00:00,100 --> 00:00:00,300\nHello\n')
  make(at('cover.png'), '-f', 'lavfi', '-i', 'color=red:s=32x32', '-frames:v', '1')
  make(
    at('several.mkv'),
    ...[...picture, ...sound, '-i', at('words.srt'), '-map', '0', ...languages.flatMap(() => ['-map', '1'])],
    ...['-map', '2', ...h264, '-c:a', 'aac', '-c:s', 'srt', '-disposition:s:0', 'forced'],
    ...languages.flatMap((language, index) => [
      ...[`-metadata:s:a:${index}`, `language=${language}`, `-metadata:s:a:${index}`, `title=Track ${index}`],
    ]),
    ...['-metadata:s:s:0', 'title=Signs', '-attach', at('cover.png'), '-metadata:s:t', 'mimetype=image/png'],
  )
})

/** ISO 639 has two codes for some languages. */
const same: Record<string, string> = { fra: 'fre', ces: 'cze', ron: 'rum', slk: 'slo', ger: 'deu' }
const spoken = (path: string) =>
  ffprobe(path)
    .streams.filter(({ codec_type }) => codec_type === 'audio')
    .map(({ tags = {} }) => [same[tags.language ?? ''] ?? tags.language, tags.title ?? tags.handler_name])

const isCover = ({ disposition }: { disposition: Record<string, number> }) => disposition.attached_pic === 1

describeFull('languages, names and the cover', true, () => {
  it.each(
    few(1, [
      ['mov', /cannot mark subtitles as forced/],
      ['mp4', /^$/],
    ] as const),
  )('stay in %s, and from there in MKV', async (target, warned) => {
    const { path, warnings } = await convertFile(`video.mkv-to-${target}`, at('several.mkv'))
    const expected = languages.map((language, index) => [language, `Track ${index}`])
    expect(spoken(path)).toEqual(expected)
    expect(warnings.join()).toMatch(warned)
    const { streams } = ffprobe(path)
    expect(streams.filter(isCover)).toHaveLength(1)
    const words = streams.find(({ codec_type }) => codec_type === 'subtitle')
    expect(words).toMatchObject({ disposition: { forced: target === 'mp4' ? 1 : 0 } })
    expect(tool('mediainfo', '--Inform=Text;%Title%', path).trim()).toContain('Signs')

    const back = await convertFile(`video.${target}-to-mkv`, path)
    expect(back.warnings).toEqual([])
    expect(spoken(back.path)).toEqual(expected)
    const inside = ffprobe(back.path)
    expect(inside.streams.filter(isCover)).toHaveLength(1)
    const names = [inside.format, ...inside.streams].flatMap(({ tags = {} }) => Object.keys(tags))
    expect(names.join()).not.toMatch(/major_brand|minor_version|compatible_brands|handler_name|vendor_id/i)
  })

  it('the cover is named where it cannot stay', async () => {
    const { warnings } = await convertFile('video.mkv-to-webm', at('several.mkv'))
    expect(warnings.join()).toContain('cover picture was left out')
  })
})

it.each(onlyFull(['mp4', 'mkv', 'webm']))(
  'when, where and with what a video was taken stays in %s',
  async target => {
    const { path } = await convertFile(`video.mov-to-${target}`, at('phone.mov'))
    const tags = Object.fromEntries(
      Object.entries(ffprobe(path).format.tags ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
    expect(tags).toMatchObject({
      creation_time: expect.stringMatching(/^2021-05-06T07:08:09(\.0+)?Z$/),
      'com.apple.quicktime.make': 'Apple',
      'com.apple.quicktime.location.iso6709': '+48.1374+011.5755+519.000/',
    })
    const gone = await convertFile(`video.mov-to-${target}`, at('phone.mov'), { metadata: { strip: true } })
    expect(JSON.stringify(ffprobe(gone.path))).not.toMatch(/2021|Apple/)
  },
)

testFull('lost transparency is named', async () => {
  const path = make(
    at('clear.mov'),
    ...['-f', 'lavfi', '-i', 'color=red@0.4:s=64x48:d=0.2,format=rgba', '-c:v', 'prores_ks'],
    ...['-profile:v', '4444', '-pix_fmt', 'yuva444p10le'],
  )
  const { warnings } = await convertFile('video.mov-to-mp4', path)
  expect(warnings.join()).toContain('transparent parts')
  expect((await convertFile('video.mov-to-mkv', path)).warnings).toEqual([])
})

/** A copy of an MP4 file whose picture, of profile 8.1, says how Dolby Vision is to show it (`dvvC`). */
function dolby(path: string): string {
  let bytes = readFileSync(path)
  let [from, last] = [0, 0]
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'hvc1']) {
    last = bytes.indexOf(type, from) - 4
    bytes.writeUInt32BE(bytes.readUInt32BE(last) + 32, last)
    from = last + 8
  }
  const end = last + bytes.readUInt32BE(last) - 32
  const box = Buffer.concat([
    Buffer.from('00000020', 'hex'),
    Buffer.from('dvvC'),
    Buffer.from([1, 0, 16, 29, 16]),
  ])
  bytes = Buffer.concat([bytes.subarray(0, end), box, Buffer.alloc(19), bytes.subarray(end)])
  writeFileSync(at('dolby.mp4'), bytes)
  return at('dolby.mp4')
}

testFull('Dolby Vision stays where the picture does, and its loss is named', async () => {
  const deep = [
    '-pix_fmt',
    'yuv420p10le',
    '-c:v',
    'libx265',
    '-x265-params',
    'log-level=error',
    '-tag:v',
    'hvc1',
  ]
  const path = dolby(make(at('deep.mp4'), ...picture, ...deep))
  for (const [job, options, warned] of [
    ['mp4-to-mkv', {}, /^$/],
    ['mp4-to-mp4', { video: { codec: 'copy' } }, /^$/],
    ['mp4-to-mov', {}, /Dolby Vision was left out/],
    ['mp4-to-mp4', { video: { codec: 'h264' } }, /Dolby Vision was left out/],
  ] as const) {
    const { path: output, warnings } = await convertFile(`video.${job}`, path, options)
    expect(warnings.join(), job).toMatch(warned)
    const shown = tool('ffprobe', '-v', 'error', '-show_streams', output)
    expect(/DOVI/.test(shown), job).toBe(warned.source === '^$')
  }
})

testFull('chapters stay, or a warning says that they have no place', async () => {
  const chapter = (start: number) =>
    `[CHAPTER]\nTIMEBASE=1/10\nSTART=${start}\nEND=${start + 2}\ntitle=At ${start}\n`
  writeFileSync(at('chapters.txt'), `;FFMETADATA1\n${chapter(0)}${chapter(2)}`)
  const path = make(
    at('chapters.mkv'),
    ...picture,
    ...sound,
    '-i',
    at('chapters.txt'),
    '-map_chapters',
    '2',
    ...h264,
  )
  for (const target of boxNames) {
    const { path: output, warnings } = await convertFile(`video.mkv-to-${target}`, path)
    const kept = ffprobe(output).chapters.length === 2
    expect(
      warnings.some(warning => warning.startsWith('The chapters were left out')),
      target,
    ).toBe(!kept)
  }
})

describe('tags that are given', () => {
  const metadata = { title: 'New — 新', artist: 'Zoë', date: '2026-05-03' }

  it.each(few(1, ['mov-to-mp4', 'mov-to-mov', 'mov-to-mkv', 'mov-to-avi', 'mov-to-wmv']))(
    'replace those of the source, with the day it was recorded: %s',
    async job => {
      const { path } = await convertFile(`video.${job}`, at('phone.mov'), { metadata })
      const found = Object.fromEntries(
        Object.entries(ffprobe(path).format.tags ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      )
      expect(found).toMatchObject({ title: metadata.title, artist: metadata.artist, date: metadata.date })
      if (/mp4|mov|mkv/.test(job.slice(-3))) expect(found.creation_time).toMatch(/^2026-05-03/)
    },
  )

  testFull('are all that is left where the others are removed', async () => {
    const options = { metadata: { strip: true, title: 'Alone' } }
    const { path } = await convertFile('video.mov-to-mp4', at('phone.mov'), options)
    expect(ffprobe(path).format.tags).toMatchObject({ title: 'Alone' })
    expect(JSON.stringify(ffprobe(path).format.tags)).not.toMatch(/Apple|48\.1374|2021/)
  })
})
