import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { ffprobe, lively, make, makeAll, mediaFolder } from '../../../../../testing/fixtures/media.ts'
import { readTags, type Tags, taglibVersion, withoutGain, writeTags } from './tags.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
// Opus and FLAC have the tags of Ogg.
const kinds = few(4, ['mp3', 'm4a', 'ogg', 'wav', 'opus', 'flac'])

const cover = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const tags: Tags = {
  properties: {
    title: ['Grüße 🌍'],
    artist: ['Ä', 'Б'],
    trackNumber: ['7'],
    totalTracks: ['300'],
    compilation: ['true'],
    replayGainTrackGain: ['-3.00 dB'],
    MYTAG: ['calm'],
  },
  pictures: [{ mimeType: 'image/png', type: 'FrontCover', data: cover, description: '' }],
  chapters: [
    { start: 0, end: 0.75, title: 'a' },
    { start: 0.75, end: 1.5, title: 'ß' },
  ],
  lyrics: ['la\nla'],
}

beforeAll(() => {
  makeAll(
    lively(1.5),
    kinds.map(kind => [at(`plain.${kind}`)]),
  )
})

describe('tags', () => {
  it.each(kinds)('written into %s are read by ffprobe and by us', async kind => {
    const path = at(`tagged.${kind}`)
    writeFileSync(path, readFileSync(at(`plain.${kind}`)))
    expect(await writeTags(path, tags)).toBe(true)

    const { tags: seen, chapters, streams } = ffprobe(path)
    expect(seen.title).toBe('Grüße 🌍')
    expect(seen.artist).toContain('Ä')
    if (kind !== 'wav') {
      expect(Object.entries(seen).find(([key]) => key.startsWith('lyrics'))?.[1]).toBe('la\nla')
      expect(seen.compilation).toBe('1')
      expect(streams.filter(stream => stream.disposition.attached_pic)).toHaveLength(1)
      expect(chapters.map(({ start_time, tags }) => [Number(start_time), tags?.title])).toEqual([
        [0, 'a'],
        [0.75, 'ß'],
      ])
    }
    if (kind === 'mp3' || kind === 'm4a') expect(seen.track).toBe('7/300')
    else expect(seen.track).toBe('7')

    const again = await readTags(path)
    expect(again?.properties).toMatchObject({ title: ['Grüße 🌍'], artist: ['Ä', 'Б'], MYTAG: ['calm'] })
    expect(again?.lyrics).toEqual(['la\nla'])
    expect(Buffer.from(again?.pictures[0]?.data ?? []).equals(cover)).toBe(true)
    if (kind !== 'wav')
      expect(again?.chapters.map(({ start, title }) => [start, title])).toEqual([
        [0, 'a'],
        [0.75, 'ß'],
      ])
  })

  testFull('of an encoder are neither read nor kept', async () => {
    const { properties } = (await readTags(at('plain.ogg'))) as Tags
    expect(properties).toEqual({})
    expect(ffprobe(at('plain.ogg')).tags).toHaveProperty('encoder')
    const path = at('clean.ogg')
    writeFileSync(path, readFileSync(at('plain.ogg')))
    await writeTags(path, tags)
    expect(ffprobe(path).tags).not.toHaveProperty('encoder')
  })

  testFull('keep the channel mask of FLAC', async () => {
    const path = make(at('mask.flac'), '-f', 'lavfi', '-i', 'anullsrc=cl=5.1:d=0.2')
    const mono = make(at('odd.flac'), '-f', 'lavfi', '-i', 'aevalsrc=0|0|0:d=0.2:c=2.1')
    for (const file of [path, mono]) {
      const before = ffprobe(file).audio.channel_layout
      await writeTags(file, tags)
      expect(ffprobe(file).audio.channel_layout).toBe(before)
    }
  })

  testFull('are read from read-only files', async () => {
    const path = make(at('locked.mp3'), ...lively(0.5), '-metadata', 'title=locked')
    const { mtimeMs } = statSync(path)
    chmodSync(path, 0o444)
    expect((await readTags(path))?.properties).toMatchObject({ title: ['locked'] })
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
  })

  it('of garbage are empty', async () => {
    writeFileSync(at('rubbish.mp3'), randomBytes(5000))
    expect((await readTags(at('rubbish.mp3')))?.properties ?? {}).toEqual({})
    expect(await readTags(at('missing.mp3'))).toBeNull()
  })

  it('of a huge WAV file are left out', async () => {
    const { truncateSync } = await import('node:fs')
    const path = at('huge.wav')
    writeFileSync(path, readFileSync(at('plain.wav')))
    truncateSync(path, 0xf100_0000)
    expect(await writeTags(path, tags)).toBe(false)
    expect(statSync(path).size).toBe(0xf100_0000)
  })

  it('for loudness can be left out', () => {
    expect(Object.keys(withoutGain(tags).properties)).not.toContain('replayGainTrackGain')
    expect(Object.keys(withoutGain(tags).properties)).toContain('title')
  })
})

it('TagLib says its version', async () => {
  expect(await taglibVersion()).toMatch(/\d/)
})
