import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { processorSeconds } from '../../../../../testing/processor-time.ts'
import { meeting, transcriptOf } from '../../../../../testing/transcript.ts'
import { cuesOf, rules } from './cues.ts'
import { writeTranscript } from './index.ts'
import { columns } from './tokens.ts'
import { tidy } from './transcript.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-subtitles-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Cues as read by ffmpeg: start and duration in seconds, and the text. */
async function probed(format: 'srt' | 'vtt', transcript = meeting) {
  const path = join(folder, `cues.${format}`)
  writeFileSync(path, await writeTranscript(format, transcript, { title: 'Test' }))
  const fields = ['-show_entries', 'packet=pts_time,duration_time,data', '-show_data', '-of', 'json']
  const { packets } = JSON.parse(
    execFileSync('ffprobe', ['-v', 'error', ...fields, path], { encoding: 'utf8' }),
  )
  return (packets as { pts_time: string; duration_time: string; data: string }[]).map(packet => ({
    start: Number(packet.pts_time),
    duration: Number(packet.duration_time),
    text: unhex(packet.data),
  }))
}

/** ffprobe shows data as a hex dump: an offset, up to eight groups of two bytes, and the letters. */
function unhex(dump: string): string {
  const rows = dump.split('\n').flatMap(row => /^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} ?)+)/.exec(row)?.[1] ?? [])
  return Buffer.from(rows.join('').replaceAll(' ', ''), 'hex').toString('utf8')
}

const words = (text: string) => text.replace(/\s+/g, ' ').trim()

describe.each(few(1, ['srt', 'vtt']))('%s', format => {
  test('ffmpeg reads every word at its time, and no cue overlaps the next', async () => {
    const cues = await probed(format)
    const expected = cuesOf(tidy(meeting))
    expect(cues.map(({ start }) => Math.round(start * 1000))).toEqual(expected.map(({ start }) => start))
    expect(cues.map(({ duration }) => Math.round(duration * 1000))).toEqual(
      expected.map(({ start, end }) => end - start),
    )
    const text = words(cues.map(cue => cue.text).join(' '))
    expect(text).toContain('the budget of the new website and about the launch.')
    expect(text).toContain('The website is nearly finished.')
    expect(text).toContain(
      format === 'srt' ? '& the ‹b›servers‹/b› → done.' : '&amp; the &lt;b&gt;servers&lt;/b&gt; --&gt; done.',
    )
  })

  test('a recording without speech says so', async () => {
    const [cue, ...more] = await probed(format, transcriptOf([]))
    expect(more).toEqual([])
    expect(cue?.text).toContain('No speech was recognised')
    expect(cue).toMatchObject({ start: 0, duration: 5 })
  })
})

describe('cues', () => {
  const all = (text: string, start = 0, end = start + text.length / 14, language = 'en') =>
    cuesOf(tidy(transcriptOf([{ start, end, text }], { language, durationSeconds: 600 })))

  test('follow sentences and clauses, and leave no lone word', () => {
    const text =
      'This is the first sentence of a long paragraph, which goes on for a while. Here is another one that is not short either, I am afraid. End.'
    const lines = all(text).map(cue => cue.lines.join(' '))
    expect(lines.join(' ')).toBe(text)
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/[,.]$/)
    expect(lines.at(-1)?.split(' ').length).toBeGreaterThan(2)
  })

  test('are shown long enough to be read if nothing follows', () => {
    const [cue] = all('Twenty columns here and then twenty more.', 1, 1.4)
    expect(cue?.start).toBe(1000)
    expect(cue!.end - 1000).toBe(Math.round((41 / rules.speed) * 1000))
  })

  test('words keep the times given by the engine', () => {
    const spoken =
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen'
    const timed = spoken.split(' ').map((text, nth) => ({ text, start: nth * 0.5, end: nth * 0.5 + 0.4 }))
    const cues = cuesOf(tidy(transcriptOf([{ start: 0, end: 9, text: spoken, words: timed }])))
    expect(cues.length).toBeGreaterThan(1)
    for (const { start, lines } of cues) {
      expect(start).toBe(timed.find(({ text }) => lines[0]!.startsWith(text))!.start * 1000)
    }
  })

  test('languages without spaces are broken between words', () => {
    const text =
      '今日は新しいウェブサイトの予算について話します。来週の金曜日までに見積もりを送ってください。よろしくお願いします。'
    const cues = all(text, 0, 14, 'ja')
    expect(cues.map(cue => cue.lines.join('')).join('')).toBe(text)
    expect(cues.length).toBeGreaterThan(1)
    for (const { lines } of cues) for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(42)
  })

  testFull('a long meeting is split quickly', async () => {
    const text =
      'and then we went on to the next point of the list without any pause at all because nobody stopped '
    const segments = Array.from({ length: 2000 }, (_, nth) => ({ start: nth * 8, end: nth * 8 + 8, text }))
    const seconds = await processorSeconds(() =>
      expect(cuesOf(tidy(transcriptOf(segments))).length).toBeGreaterThan(2200),
    )
    expect(seconds).toBeLessThan(3)
  })

  const segment = fc.record({
    start: fc.oneof(fc.double({ min: -5, max: 600 }), fc.constant(Number.NaN)),
    end: fc.double({ min: -5, max: 600 }),
    text: fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
  })

  test('whatever is spoken, they keep the rules', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 12 }), segments => {
        const transcript = tidy(transcriptOf(segments))
        const cues = cuesOf(transcript)
        expect(cues.length).toBeGreaterThan(0)
        for (const [nth, { start, end, lines }] of cues.entries()) {
          expect(lines.length).toBeLessThanOrEqual(rules.lines)
          for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(rules.columns)
          expect(end).toBeGreaterThan(start)
          expect(end - start).toBeLessThanOrEqual(rules.longest * 1000 + 1)
          const sound = Math.max(transcript.durationSeconds * 1000 || 1000, cues.length * 10)
          expect(end).toBeLessThanOrEqual(cues[nth + 1]?.start ?? sound)
        }
        if (transcript.segments.length > 0) {
          const spoken = transcript.segments.map(({ text }) => text).join('')
          expect(
            cues
              .flatMap(({ lines }) => lines)
              .join('')
              .replace(/\s/g, ''),
          ).toBe(spoken.replace(/\s/g, ''))
        }
      }),
      { numRuns: 300 },
    )
  })
})
