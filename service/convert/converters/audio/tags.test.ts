import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { type Converted, convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import {
  correlation,
  ffprobe,
  judge,
  lively,
  make,
  makeAll,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { flacWith } from '../../../../testing/flac.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

const tags = {
  title: 'Ünïcode — 日本語 🎧',
  artist: 'Zoë & Ωmega',
  album: 'Álbum "quoted" = #1; C:\\x',
  date: '2021',
  genre: 'Audiobook',
  comment: 'one line',
  composer: 'Ђорђе',
}
const chapters = [
  { start: 0, end: 1, title: 'Eins – ä' },
  { start: 1, end: 2.25, title: 'Zwei: "2/2"' },
  { start: 2.25, end: 3, title: '第三章' },
]

beforeAll(() => {
  const escaped = (text: string) => text.replace(/[=;#\\\n]/g, character => `\\${character}`)
  const metadata = [
    ';FFMETADATA1',
    ...Object.entries(tags).map(([key, value]) => `${key}=${escaped(value)}`),
    'track=3/9',
    'disc=1/2',
    ...chapters.flatMap(({ start, end, title }) => [
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      `START=${start * 1000}`,
      `END=${end * 1000}`,
      `title=${escaped(title)}`,
    ]),
  ]
  writeFileSync(at('tags.txt'), metadata.join('\n'))
  make(at('cover.png'), '-f', 'lavfi', '-i', 'testsrc=s=100x80', '-frames:v', '1')
  make(at('plain.wav'), ...lively(3))
  const tagged = ['-map', '0', '-map_metadata', '1', '-map_chapters', '1']
  const cover = ['-map', '2', '-c:v', 'copy', '-disposition:v', 'attached_pic']
  const bare = ['-map', '0', '-map_metadata', '-1', '-map_chapters', '-1']
  const numbers = ['track=3', 'TOTALTRACKS=12', 'disc=1', 'TOTALDISCS=2']
  const further: [path: string, ...args: string[]][] = [
    [at('song.flac'), ...tagged, ...cover],
    [at('song.opus'), ...tagged],
    [at('song.ogg'), ...tagged],
    [at('song.wav'), ...tagged],
    [at('song.wma'), ...tagged],
    [at('video.mkv'), ...tagged],
    [at('video.avi'), ...tagged],
    [at('whole.m4a'), ...tagged, '-movflags', '+faststart'],
    [
      at('scene.wav'),
      ...[...bare, '-write_bext', '1', '-metadata', 'description=Scene 3'],
      ...['-metadata', 'origination_date=2020-01-02'],
    ],
    [at('two-tags.mp3'), ...bare, '-metadata', 'title=In ID3v2'],
    [at('comments.mp3'), ...bare, '-id3v2_version', '0'],
    [at('totals.flac'), ...bare, ...numbers.flatMap(tag => ['-metadata', tag])],
    [at('plain.m4b'), ...bare, '-f', 'mp4'],
    [at('gain.flac'), ...bare, '-metadata', 'REPLAYGAIN_TRACK_GAIN=-6.00 dB'],
  ]
  makeAll(
    ['-i', at('plain.wav'), '-i', at('tags.txt'), '-i', at('cover.png')],
    [
      [at('book.m4b'), ...tagged, ...cover, '-f', 'mp4'],
      [at('song.mp3'), ...tagged, ...cover, '-id3v2_version', '3'],
      ...(isFull ? further : []),
    ],
  )
})

const conversions = new Map<string, Promise<Converted>>()

/** A conversion with default options, which several tests judge. */
function converted(job: string, name: string): Promise<Converted> {
  const running = conversions.get(`${job} ${name}`) ?? convertFile(job, at(name))
  conversions.set(`${job} ${name}`, running)
  return running
}

/** Chapters as ffprobe reads them. */
const chaptersOf = (path: string) =>
  ffprobe(path).chapters.map(({ start_time, tags }) => ({ start: Number(start_time), title: tags?.title }))

const pictures = (path: string) =>
  ffprobe(path).streams.filter(stream => stream.disposition.attached_pic === 1)

describe('tags, cover and chapters', () => {
  it.each(
    few(2, [
      ['audio.m4b-to-m4a', 'book.m4b', 'all'],
      ['audio.m4b-to-mp3', 'book.m4b', 'all'],
      ['audio.m4b-to-wav', 'book.m4b', 'no chapters'],
      ['audio.mp3-to-m4a', 'song.mp3', 'all'],
      ['audio.mp3-to-opus', 'song.mp3', 'all'],
      ['audio.flac-to-mp3', 'song.flac', 'no chapters'],
      ['audio.opus-to-flac', 'song.opus', 'no cover'],
      ['audio.wav-to-flac', 'song.wav', 'no cover, no chapters'],
      ['audio.wma-to-mp3', 'song.wma', 'no cover'],
      ['video.mkv-to-mp3', 'video.mkv', 'no cover'],
      ['audio.m4b-to-ogg', 'book.m4b', 'all'],
      ['audio.ogg-to-mp3', 'song.ogg', 'no cover, no chapters'],
      ['audio.mp3-to-ogg', 'song.mp3', 'all'],
      ['audio.flac-to-opus', 'song.flac', 'no chapters'],
      ['audio.opus-to-mp3', 'song.opus', 'no cover'],
      ['video.avi-to-mp3', 'video.avi', 'no cover, no chapters'],
    ]),
  )('%s keeps those of %s: %s', async (job, name, what) => {
    const { path } = await converted(job, name)
    // WAV, AVI and ASF have no composer that ffprobe would show or ffmpeg write.
    const { composer, ...usual } = tags
    expect(ffprobe(path).tags).toMatchObject(/wav|avi|wma/.test(job) ? usual : { ...usual, composer })
    if (!/-to-wav|wav-to|wma|avi|mkv/.test(job)) expect(ffprobe(path).tags.track).toMatch(/^3(\/9)?$/)
    expect(pictures(path)).toHaveLength(what.includes('no cover') || what === 'no cover' ? 0 : 1)
    if (what.includes('no chapters')) expect(chaptersOf(path)).toEqual([])
    else {
      const found = chaptersOf(path)
      expect(found.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title))
      // ffmpeg itself writes the times of Opus chapters rounded to seconds.
      if (name !== 'song.opus') expect(found.map(({ start }) => start)).toEqual([0, 1, 2.25])
    }
  })

  it.each(
    onlyFull([
      ['audio.m4b-to-wav', 'book.m4b'],
      ['audio.flac-to-mp3', 'song.flac'],
      ['audio.flac-to-wav', 'song.flac'],
      ['audio.mp3-to-wav', 'song.mp3'],
    ]),
  )('%s keeps track and disc numbers, and their totals', async (job, name) => {
    const { path } = await converted(job, name)
    const inform = (format: string) => tool('mediainfo', `--Inform=General;${format}`, path).trim()
    expect(inform('%Part/Position_Total%')).toBe('2')
    if (!path.endsWith('.wav')) {
      expect(ffprobe(path).tags.track).toBe('3/9')
      expect(inform('%Track/Position%/%Track/Position_Total%')).toBe('3/9')
      return
    }
    // And back again.
    const { path: mp3 } = await convertFile('audio.wav-to-mp3', path)
    expect(ffprobe(mp3).tags).toMatchObject({ track: '3/9', disc: '1/2' })
    expect(tool('soxi', '-s', path)).toBe(tool('soxi', '-s', at('plain.wav')))
  })

  testFull('the tag list of a WAV file has the number of tracks', async () => {
    expect(ffprobe(at('song.wav')).tags.track).toBe('3/9')
    const { path } = await converted('audio.wav-to-mp3', 'song.wav')
    expect(ffprobe(path).tags.track).toBe('3/9')
  })

  testFull('a Broadcast Wave file has its description and date', async () => {
    const { path: flac } = await converted('audio.wav-to-flac', 'scene.wav')
    expect(ffprobe(flac).tags).toMatchObject({ comment: 'Scene 3', date: '2020-01-02' })
  })

  testFull('of several tags of an MP3 file are united', async () => {
    const path = at('two-tags.mp3')
    const old = Buffer.alloc(128)
    for (const [text, start] of [
      ['TAG', 0],
      ['In ID3v1', 3],
      ['Artist', 33],
      ['Album', 63],
      ['1999', 93],
    ] as const)
      old.write(text, start, 'latin1')
    writeFileSync(at('two-tags.mp3'), Buffer.concat([readFileSync(path), old]))
    const { path: ogg } = await converted('audio.mp3-to-ogg', 'two-tags.mp3')
    expect(ffprobe(ogg).tags).toMatchObject({
      title: 'In ID3v2',
      artist: 'Artist',
      album: 'Album',
      date: '1999',
    })
  })

  testFull('comments with descriptions and fields with spaces arrive beside the comment', async () => {
    const frame = (kind: string, text: string) => {
      const content = Buffer.from(`\u0003${text}`, 'utf8')
      return Buffer.concat([Buffer.from(kind), Uint8Array.of(0, 0, 0, content.length, 0, 0), content])
    }
    const frames = Buffer.concat([
      frame('COMM', 'engNote\0a described one'),
      frame('COMM', 'deu\0the comment'),
      frame('TXXX', 'My key\0my value'),
    ])
    const path = at('comments.mp3')
    const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, frames.length >> 7, frames.length & 127])
    writeFileSync(path, Buffer.concat([head, frames, readFileSync(path)]))
    for (const target of ['m4a', 'ogg']) {
      const { path: converted } = await convertFile(`audio.mp3-to-${target}`, path)
      expect(ffprobe(converted).tags).toMatchObject({
        comment: 'the comment',
        [target === 'm4a' ? 'comment note' : 'comment:note']: 'a described one',
        'my key': 'my value',
      })
    }
  })

  testFull('of a FLAC file with empty blocks arrive, with its cover', async () => {
    const none = Buffer.alloc(0)
    const path = at('empty-blocks.flac')
    writeFileSync(
      path,
      flacWith(readFileSync(at('song.flac')), ([info, ...rest]) => [
        info!,
        ...[2, 4, 6].map((kind): [number, Buffer] => [kind, none]),
        ...rest,
      ]),
    )
    const { path: opus } = await convertFile('audio.flac-to-opus', path)
    expect(ffprobe(opus).tags).toMatchObject({ ...tags, track: '3', disc: '1' })
    expect(pictures(opus)).toHaveLength(1)
  })

  testFull('the number of tracks has two names in FLAC', async () => {
    const { path: mp3 } = await converted('audio.flac-to-mp3', 'totals.flac')
    expect(ffprobe(mp3).tags).toMatchObject({ track: '3/12', disc: '1/2' })
  })

  testFull('marks of a WAV file become chapters', async () => {
    const riff = (kind: string, content: Buffer) => {
      const head = Buffer.from(`${kind}....`, 'latin1')
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
    }
    const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
    const mark = (id: number, sample: number) =>
      Buffer.concat([numbers(id, sample), Buffer.from('data'), numbers(0, 0, sample)])
    const label = (id: number, text: string) =>
      riff('labl', Buffer.concat([numbers(id), Buffer.from(`${text}\0`)]))
    const bytes = Buffer.concat([
      readFileSync(at('plain.wav')),
      riff('cue ', Buffer.concat([numbers(3), mark(1, 0), mark(7, 99_225), mark(2, 44_100)])),
      riff(
        'LIST',
        Buffer.concat([Buffer.from('adtl'), label(1, 'Eins – ä'), label(2, 'Zwei'), label(7, 'Drei')]),
      ),
    ])
    bytes.writeUInt32LE(bytes.length - 8, 4)
    writeFileSync(at('marks.wav'), bytes)
    for (const job of ['audio.wav-to-flac', 'audio.wav-to-mp3']) {
      expect(chaptersOf((await converted(job, 'marks.wav')).path)).toEqual([
        { start: 0, title: 'Eins – ä' },
        { start: 1, title: 'Zwei' },
        { start: 2.25, title: 'Drei' },
      ])
    }
  })

  testFull('a truncated M4A keeps them', async () => {
    const bytes = readFileSync(at('whole.m4a'))
    writeFileSync(at('cut.m4a'), bytes.subarray(0, bytes.length * 0.6))
    const { path, warnings } = await converted('audio.m4a-to-mp3', 'cut.m4a')
    expect(warnings.join()).toContain('ends early')
    expect(ffprobe(path).tags).toMatchObject({ title: tags.title, artist: tags.artist, track: '3/9' })
  })

  testFull('are read the same by other programs', async () => {
    const { path: mp3 } = await converted('audio.m4b-to-mp3', 'book.m4b')
    const { text } = judge('eyeD3', '--no-color', mp3)
    expect(text).toContain(`title: ${tags.title}`)
    expect(text).toMatch(/track: 3\/9/)
    expect(text).toContain('disc: 1/2')
    expect(text).toMatch(/FRONT_COVER Image: \[Size: \d+ bytes\] \[Type: image\/png\]/)

    const { path: opus } = await converted('audio.mp3-to-opus', 'song.mp3')
    const info = judge('opusinfo', opus)
    expect(info.text).toContain(`TITLE=${tags.title}`)
    expect(info.text).toContain('CHAPTER002NAME=第三章')
    expect(info.text).toContain('CHAPTER002=00:00:02.250')
    expect(info.text).not.toContain('WARNING')

    const { path: flac } = await converted('audio.opus-to-flac', 'song.opus')
    expect(judge('flac', '-t', '-s', flac)).toEqual({ status: 0, text: '' })
    expect(tool('metaflac', '--export-tags-to=-', flac)).toContain(`ARTIST=${tags.artist}`)

    const { path: m4a } = await converted('audio.mp3-to-m4a', 'song.mp3')
    expect(
      tool('mediainfo', '--Inform=General;%Title%|%Track/Position%|%Track/Position_Total%', m4a).trim(),
    ).toBe(`${tags.title}|3|9`)
  })

  it('the cover stays identical', async () => {
    const { path } = await converted('audio.m4b-to-mp3', 'book.m4b')
    make(at('extracted.png'), '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'image2')
    expect(tool('md5sum', at('extracted.png')).split(' ')[0]).toBe(
      tool('md5sum', at('cover.png')).split(' ')[0],
    )
  })

  it.each(
    onlyFull([
      ['audio.m4b-to-m4a', 'book.m4b'],
      ['audio.flac-to-mp3', 'song.flac'],
      ['audio.mp3-to-opus', 'song.mp3'],
      ['audio.m4b-to-mp3', 'book.m4b'],
      ['audio.opus-to-flac', 'song.opus'],
      ['audio.flac-to-wav', 'song.flac'],
    ]),
  )('%s removes them on request, and leaves the sound as it is', async (job, name) => {
    const { path } = await convertFile(job, at(name), { metadata: { strip: true } })
    const left = ffprobe(path)
    for (const key of Object.keys(tags)) expect(left.tags).not.toHaveProperty(key)
    expect(left.chapters).toEqual([])
    expect(left.streams).toHaveLength(1)
    expect(samples(path)).toEqual(samples((await converted(job, name)).path))
  })

  it('nothing of the old container or encoder is kept', async () => {
    const jobs = ['audio.m4b-to-mp3', 'audio.m4b-to-ogg', 'audio.m4b-to-wav']
    for (const job of kinds(jobs, job => job.endsWith('mp3'))) {
      const { path } = await converted(job, 'book.m4b')
      for (const key of ['major_brand', 'minor_version', 'compatible_brands', 'handler_name', 'vendor_id']) {
        expect(ffprobe(path).tags).not.toHaveProperty(key)
      }
    }
  })

  testFull('chapters shift with a trimmed start', async () => {
    const { path } = await convertFile('audio.m4b-to-mp3', at('book.m4b'), { trim: { start: 1.5, end: 2.5 } })
    expect(chaptersOf(path)).toEqual([
      { start: 0, title: 'Zwei: "2/2"' },
      { start: 0.75, title: '第三章' },
    ])
  })

  testFull('loudness tags are dropped when the audio is normalised', async () => {
    const flac = at('gain.flac')
    expect(ffprobe((await converted('audio.flac-to-opus', 'gain.flac')).path).tags).toHaveProperty(
      'replaygain_track_gain',
    )
    const { path } = await convertFile('audio.flac-to-opus', flac, { loudness: { normalize: true } })
    expect(ffprobe(path).tags).not.toHaveProperty('replaygain_track_gain')
  })
})

describeFull('an audiobook in chapters', true, () => {
  it('becomes a file for each, which join without a gap', async () => {
    const { outputs, path, progress } = await convertFile('audio.m4b-to-mp3', at('book.m4b'), {
      chapters: { split: true },
    })
    expect(path).toBe(outputs[0]?.path)
    expect(outputs.map(({ name }) => name)).toEqual(['1 Eins – ä.mp3', '2 Zwei 2 2.mp3', '3 第三章.mp3'])
    for (const [index, { path }] of outputs.entries()) {
      const probed = ffprobe(path)
      expect(probed.tags).toMatchObject({
        title: chapters[index]?.title,
        album: tags.album,
        artist: tags.artist,
        track: `${index + 1}/3`,
      })
      expect(pictures(path)).toHaveLength(1)
      expect(probed.chapters).toEqual([])
    }
    const parts = outputs.map(({ path }) => samples(path))
    expect(parts.map(part => part.length)).toEqual([44_100, 55_125, 33_075])
    const joined = new Float32Array(132_300)
    let offset = 0
    for (const part of parts) {
      joined.set(part, offset)
      offset += part.length
    }
    expect(correlation(samples(at('plain.wav')), joined)).toBeGreaterThan(0.98)
    const fractions = progress.map(({ fraction }) => fraction)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
  })

  it('without chapters stays one file, with a warning', async () => {
    const { outputs, warnings } = await convertFile('audio.m4b-to-mp3', at('plain.m4b'), {
      chapters: { split: true },
    })
    expect(outputs).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining('no chapters')])
  })
})

describe('tags that are given', () => {
  const metadata = { title: 'New — 新', artist: '', date: '2026-05-03' }

  it.each(
    few(1, [
      ['mp3-to-mp3', 'song.mp3'],
      ['m4a-to-m4a', 'whole.m4a'],
      ['flac-to-opus', 'song.flac'],
      ['mp3-to-wma', 'song.mp3'],
      ['flac-to-aiff', 'song.flac'],
      ['mp3-to-flac', 'song.mp3'],
    ]),
  )('replace those of the source, an empty one removes it, and the rest stays: %s', async (job, source) => {
    const { path, warnings } = await convertFile(`audio.${job}`, at(source), { metadata })
    expect(warnings).toEqual([])
    const found = ffprobe(path).tags
    expect(found).toMatchObject({ title: metadata.title, album: tags.album })
    expect(found.date ?? found['wm/year']).toMatch(/^2026/)
    expect(found.artist ?? '').toBe('')
  })

  testFull('are all that is left where the others are removed', async () => {
    const options = { metadata: { strip: true, title: 'Alone' } }
    const { path } = await convertFile('audio.mp3-to-m4a', at('song.mp3'), options)
    expect(ffprobe(path).tags).toMatchObject({ title: 'Alone' })
    expect(ffprobe(path).tags).not.toHaveProperty('album')
    expect(pictures(path)).toEqual([])
  })
})
