/** Encoders of graphics cards, with a program in ffmpeg's place whose card is software: it works, refuses what is large, or is not there. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { make, tool } from '../../../../testing/fixtures/media.ts'

const files = testFiles('hardware')
const video = (name: string, size: string, ...more: string[]) =>
  make(files.path(name), '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=1`, ...more)
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']

/** What the program was started with, a line each time. */
const log = files.path('log')
/** @param card what the card says to the arguments: shell that leaves with 1 if it refuses */
function standIn(card: string): void {
  const real = tool('sh', '-c', 'command -v ffmpeg').trim()
  const path = files.path('ffmpeg')
  // Debian's build knows these encoders, too; in a build without them nothing is tried.
  const script = `#!/bin/bash
[ "$1" = -encoders ] && { ${real} "$@"; echo ' V....D h264_vaapi x'; exit; }
echo "$@" >> ${log}
case "$*" in *_qsv*|*_nvenc*) exit 1;; *_vaapi*) ${card};; esac
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    -init_hw_device|-filter_hw_device|-rc_mode) shift;;
    -qp) args+=(-crf);;
    h264_vaapi) args+=(libx264);;
    *) args+=("\${1/,hwupload/}");;
  esac
  shift
done
exec ${real} "\${args[@]}"
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  writeFileSync(log, '')
  vi.resetModules()
  vi.stubEnv('REFILE_FOUND_FFMPEG', undefined)
  vi.stubEnv('REFILE_FFMPEG', path)
}
afterEach(() => vi.unstubAllEnvs())

const started = (word: string) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => line.includes(word))
const converted = async (path: string, video: object, job = 'video.mkv-to-mp4') =>
  (await import('../../../../testing/fixtures/convert.ts')).convertFile(job, path, { video })
const codecOf = (path: string) =>
  tool(
    'ffprobe',
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=codec_name,nb_frames',
    '-of',
    'csv=p=0',
    path,
  ).trim()
const refusal = /graphics card cannot encode this picture in h264, or there is none/

it('a card that works encodes, after a trial, at a quality like that of software', async () => {
  standIn(':')
  const { path, warnings } = await converted(video('a.mkv', '320x240', ...h264), {
    hardware: true,
    quality: 70,
  })
  expect([codecOf(path), warnings]).toEqual(['h264,25', []])
  // The trial, then the video; the other makers' encoders are asked first.
  expect(started('_vaapi').map(line => /-qp (\d+)/.exec(line)?.[1])).toEqual(['25', '25'])
  expect(started('_vaapi')[1]).toMatch(
    /format=nv12,hwupload .*-init_hw_device vaapi=card:\/dev\/dri\/renderD128/,
  )
})

it('nothing is asked of a card unless that is wanted', async () => {
  standIn(':')
  await converted(video('a.mkv', '320x240', ...h264), { quality: 70 })
  expect(started('_vaapi')).toEqual([])
  expect(started('libx264')).toHaveLength(1)
})

it.each([
  ['there is none', 'exit 1', '320x240', {}],
  [
    'it refuses the size of the video, after a trial that worked',
    'case "$*" in *1280x720*) :;; *) exit 1;; esac',
    '640x480',
    {},
  ],
])('software encodes if %s, and it is said', async (_, card, size) => {
  standIn(card)
  const { path, warnings } = await converted(video(`${size}.mkv`, size, ...h264), {
    hardware: true,
    quality: 70,
  })
  expect([codecOf(path), warnings]).toEqual(['h264,25', [expect.stringMatching(refusal)]])
})

it('10 bits, a size and what can stay as it is need no card', async () => {
  standIn(':')
  const deep = video('deep.mkv', '320x240', '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le')
  const kept = await converted(deep, { hardware: true, codec: 'h265' })
  expect(kept.warnings).toEqual([expect.stringContaining('in hevc')])
  expect(
    tool('ffprobe', '-v', 'error', '-show_entries', 'stream=pix_fmt', '-of', 'csv=p=0', kept.path),
  ).toContain('10le')
  const sized = await converted(video('a.mkv', '320x240', ...h264), { hardware: true, targetSize: 0.05 })
  expect(sized.warnings).toEqual([expect.stringMatching(refusal)])
  const copied = await converted(video('a.mkv', '320x240', ...h264), { hardware: true })
  expect(copied.warnings).toEqual([])
  expect(started('_vaapi')).toEqual([])
})

it('all encoders are tried, and what does not work has no speed', async () => {
  standIn(':')
  const { tryEncoders } = await import('./hardware.ts')
  const trials = Object.fromEntries((await tryEncoders()).map(({ name, ...trial }) => [name, trial]))
  expect(trials).toMatchObject({
    h264_vaapi: { hardware: true, fps: expect.any(Number) },
    libx264: { hardware: false, fps: expect.any(Number) },
    libx265: { hardware: false, fps: expect.any(Number) },
  })
  if (trials.h264_qsv) expect(trials.h264_qsv).toEqual({ hardware: true, fps: null })
  expect(existsSync(log)).toBe(true)
})
