import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile } from '../../../../../testing/samples/convert.ts'
import { kinds } from '../../../../../testing/samples/full.ts'
import {
  ffprobe,
  lively,
  make,
  makeAll,
  mediaFolder,
  soundHash,
  tool,
} from '../../../../../testing/samples/media.ts'
import { copyAsM4a } from './rebrand.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => {
  writeFileSync(
    at('chapters.txt'),
    [
      ';FFMETADATA1',
      'title=The Book',
      'artist=Nobody',
      ...[0, 2, 4].flatMap(start => [
        '[CHAPTER]',
        'TIMEBASE=1/1',
        `START=${start}`,
        `END=${start + 2}`,
        `title=At ${start}`,
      ]),
    ].join('\n'),
  )
  make(at('cover.png'), '-f', 'lavfi', '-i', 'testsrc=s=64x64', '-frames:v', '1')
  make(at('sound.wav'), ...lively(6))
  const book = [
    ...['-map', '0', '-map', '2', '-map_metadata', '1', '-map_chapters', '1', '-c:v', 'copy'],
    ...['-disposition:v', 'attached_pic', '-f', 'mp4'],
  ]
  const bare = ['-map', '0', '-map_metadata', '-1', '-map_chapters', '-1', '-t', '3']
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=3']
  makeAll(
    ['-i', at('sound.wav'), '-i', at('chapters.txt'), '-i', at('cover.png'), ...picture],
    [
      [at('book.m4b'), ...book, '-brand', 'M4B ', '-movflags', '+faststart'],
      [at('end.m4b'), ...book],
      [at('lossless.m4b'), ...book, '-c:a', 'alac'],
      [at('film.mp4'), ...bare, '-map', '3', '-c:v', 'mpeg4'],
      [at('two.mp4'), ...bare, '-map', '0'],
      [at('fragments.m4b'), ...bare, '-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov'],
      [at('quicktime.mov'), ...bare],
      [at('sound.mp3'), ...bare],
    ],
  )
})

/** A file with changed bytes. */
function changed(from: string, to: string, change: (bytes: Buffer) => Buffer): string {
  writeFileSync(at(to), change(readFileSync(at(from))))
  return at(to)
}

describe('a copy under another brand', () => {
  it.each(kinds(['book.m4b', 'end.m4b', 'lossless.m4b'], name => name !== 'lossless.m4b'))(
    'of %s keeps everything as it was',
    async name => {
      const { path, warnings } = await convertFile('audio.m4b-to-m4a', at(name))
      expect(warnings).toEqual([])
      const [before, after] = [readFileSync(at(name)), readFileSync(path)]
      const brands = before.readUInt32BE(0)
      expect(after.subarray(brands).equals(before.subarray(brands))).toBe(true)
      const probed = ffprobe(path)
      expect(probed.tags).toMatchObject({ major_brand: 'M4A ', title: 'The Book', artist: 'Nobody' })
      expect(probed.tags.compatible_brands).toMatch(/M4A /)
      expect(probed.tags.compatible_brands).not.toMatch(/M4B/)
      expect(probed.chapters.map(({ tags }) => tags?.title)).toEqual(['At 0', 'At 2', 'At 4'])
      expect(soundHash(path)).toBe(soundHash(at(name)))
      expect(tool('mediainfo', '--Inform=General;%CodecID%|%Cover%', path).trim()).toBe('M4A |Yes')
    },
  )

  it('is not made if something has to change', async () => {
    const changes: object[] = [
      { metadata: { strip: true } },
      { trim: { start: 1 } },
      { audio: { bitrate: 96 } },
      { loudness: { normalize: true } },
    ]
    for (const options of kinds(changes, change => 'metadata' in change || 'trim' in change)) {
      const { path } = await convertFile('audio.m4b-to-m4a', at('book.m4b'), { ...options })
      const [before, after] = [readFileSync(at('book.m4b')), readFileSync(path)]
      expect(after.subarray(100).equals(before.subarray(100))).toBe(false)
    }
    const split = { chapters: { split: true } }
    expect((await convertFile('audio.m4b-to-m4a', at('book.m4b'), split)).outputs).toHaveLength(3)
  })

  it.each(['film.mp4', 'two.mp4', 'fragments.m4b', 'quicktime.mov', 'sound.mp3', 'cover.png'])(
    'is not made of %s',
    async name => {
      expect(await copyAsM4a(at(name), at('out.m4a'))).toBe(false)
      expect(existsSync(at('out.m4a'))).toBe(false)
    },
  )

  it.each([
    ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['has something behind its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('rubbish')])],
    ['is nothing', () => Buffer.alloc(0)],
    ['is its first bytes', (bytes: Buffer) => bytes.subarray(0, 20)],
    [
      'has a chunk elsewhere',
      (bytes: Buffer) => {
        bytes.writeUInt32BE(bytes.length, bytes.indexOf('stco') + 12)
        return bytes
      },
    ],
    [
      'has more chunks than its table',
      (bytes: Buffer) => {
        bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('stco') + 8)
        return bytes
      },
    ],
    [
      'has its sound in another file',
      (bytes: Buffer) => {
        bytes.writeUInt32BE(0, bytes.indexOf('dref') + 20)
        return bytes
      },
    ],
  ])('is not made of a file that %s', async (name, change) => {
    const path = changed('book.m4b', `${name}.m4b`, change)
    expect(await copyAsM4a(path, at('out.m4a'))).toBe(false)
    expect(existsSync(at('out.m4a'))).toBe(false)
  })

  it('a truncated file is converted as far as it goes, with a warning', async () => {
    const path = changed('book.m4b', 'half.m4b', bytes => bytes.subarray(0, bytes.length * 0.6))
    const { path: output, warnings } = await convertFile('audio.m4b-to-m4a', path)
    expect(warnings.join()).toMatch(/ends early/)
    expect(Number(ffprobe(output).format.duration)).toBeLessThan(5)
    const stub = changed('book.m4b', 'stub.m4b', bytes => bytes.subarray(0, 2000))
    await expect(convertFile('audio.m4b-to-m4a', stub)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  it('leaves a file that is already M4A as it is', async () => {
    make(at('song.m4a'), ...lively(3))
    expect(await copyAsM4a(at('song.m4a'), at('same.m4a'))).toBe(true)
    expect(readFileSync(at('same.m4a')).equals(readFileSync(at('song.m4a')))).toBe(true)
  })
})
