/**
 * Videos, compared with ffmpeg given the same settings, by processor time, and with a preset of HandBrake, by similarity at its size.
 * Linux only; needs ffmpeg, and Debian's handbrake-cli for the second.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from './conversion.ts'
import { median, processorSeconds, report, rounds } from './harness.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const ROUNDS = rounds(1)

const folder = mkdtempSync(join(tmpdir(), 'refile-bench-video-'))
const at = (name: string) => join(folder, name)
const ffmpeg = (...args: string[]) =>
  spawnSync('ffmpeg', ['-nostdin', '-v', 'info', '-y', ...args], { encoding: 'utf8' }).stderr

/** Processor seconds of a piece of work, the programs it starts included. */
async function cost(work: () => unknown): Promise<number> {
  const before = processorSeconds(process.pid)
  await work()
  return processorSeconds(process.pid) - before
}

/** The path of the result of one conversion. */
async function converted(job: string, options: Record<string, unknown>): Promise<string> {
  const { measure, convert } = await prepare({ job, path: at('film.mkv'), folder, options, cores: 2 })
  await measure()
  const [output] = await convert()
  return output?.path ?? ''
}

/** @param args of ffmpeg, behind its input */
async function besideFfmpeg(job: string, options: Record<string, unknown>, args: string[]): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await cost(() => ffmpeg('-i', at('film.mkv'), ...args))
    ratios.push((await cost(() => converted(job, options))) / theirs)
  }
  const ratio = median(ratios)
  report(
    `${job.replace(/^video\./, '').replace('-to-', ' → ')}, processor / ffmpeg with the same settings`,
    ratio.toFixed(2),
    '≤ 1.05',
    ratio <= 1.05,
  )
}

/** Structural similarity of a video to its source, 0 to 1. */
const similarity = (path: string) =>
  Number(
    /All:([\d.]+)/.exec(ffmpeg('-i', path, '-i', at('film.mkv'), '-lavfi', 'ssim', '-f', 'null', '-'))?.[1],
  )

async function besideHandBrake(preset: string): Promise<void> {
  if (spawnSync('HandBrakeCLI', ['--version']).error) {
    console.log('   --   HandBrakeCLI is not installed')
    return
  }
  execFileSync('HandBrakeCLI', ['-i', at('film.mkv'), '-o', at('theirs.mp4'), '-Z', preset], {
    stdio: 'ignore',
  })
  const megabytes = statSync(at('theirs.mp4')).size / 1e6
  const own = similarity(
    await converted('video.mkv-to-mp4', {
      video: { codec: 'h264', targetSize: Number(megabytes.toFixed(2)) },
    }),
  )
  const theirs = similarity(at('theirs.mp4'))
  report(
    `mkv → mp4 of ${megabytes.toFixed(1)} MB, similarity / HandBrake's ${preset}`,
    `${own.toFixed(4)} / ${theirs.toFixed(4)}`,
    'not worse',
    own >= theirs,
  )
}

try {
  // Detail that moves, with the grain of a camera.
  const picture = `mandelbrot=s=1280x720:r=30:end_pts=900,noise=alls=6:allf=t,format=yuv420p`
  const sound = ['-f', 'lavfi', '-i', `anoisesrc=c=pink:a=0.1:r=48000`]
  ffmpeg(
    ...['-f', 'lavfi', '-i', picture, ...sound, '-t', String(SECONDS)],
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '10', '-c:a', 'flac', at('film.mkv')],
  )
  const aac = ['-c:a', 'aac', '-b:a', '128k']
  await besideFfmpeg('video.mkv-to-mp4', { video: { codec: 'h264', quality: 70 } }, [
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '22.06', ...aac, at('theirs.mp4')],
  ])
  await besideFfmpeg('video.mkv-to-webm', { video: { codec: 'vp9', quality: 70 } }, [
    ...[
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'good',
      '-cpu-used',
      '4',
      '-row-mt',
      '1',
      '-crf',
      '32.3',
      '-b:v',
      '0',
    ],
    ...['-c:a', 'libopus', '-b:a', '128k', at('theirs.webm')],
  ])
  await besideHandBrake('Fast 720p30')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
