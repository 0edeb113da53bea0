import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { few, kinds, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { ffprobe, make, mediaFolder } from '../../../../../testing/fixtures/media.ts'
import { FailedRun, failureOf } from './failures.ts'
import { type Progress, run } from './run.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const mp3 = ['-c:a', 'libmp3lame']

/** ffmpeg processes whose arguments name a path. */
const running = (path: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(path) && line.includes('ffmpeg'))

beforeAll(() => {
  make(at('short.wav'), '-f', 'lavfi', '-i', 'sine=d=2')
})

describe('a run', () => {
  testFull('reports live progress if the duration is known', async () => {
    const seen: Progress[] = []
    await run({
      input: at('short.wav'),
      // At playback speed, so that even a fast machine reports progress more than once.
      inputOptions: ['-re'],
      output: at('progress.mp3'),
      outputOptions: mp3,
      duration: 2,
      onProgress: progress => seen.push(progress),
    })
    expect(seen.length).toBeGreaterThan(2)
    const fractions = seen.map(({ fraction }) => fraction as number)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(fractions.at(-1)).toBeGreaterThan(0.99)
    expect(seen.some(({ eta, fraction }) => (eta ?? 0) > 0 && (fraction as number) < 1)).toBe(true)
  })

  testFull('reports no fraction if the duration is unknown', async () => {
    const seen: Progress[] = []
    await run({
      input: at('short.wav'),
      output: at('unknown.mp3'),
      outputOptions: mp3,
      onProgress: p => seen.push(p),
    })
    expect(seen.at(-1)).toMatchObject({ fraction: null, eta: null })
    expect(seen.at(-1)?.time).toBeCloseTo(2, 0)
  })

  testFull(
    "has written everything to a stream when it ends, and passes on the stream's failure",
    async () => {
      let bytes = 0
      const slow = new Writable({
        write(chunk: Buffer, _encoding, done) {
          bytes += chunk.length
          setTimeout(done, 10)
        },
      })
      const options = { input: at('short.wav'), outputOptions: ['-f', 's16le', '-ar', '44100', '-ac', '2'] }
      await run({ ...options, output: slow })
      expect(bytes).toBe(2 * 44_100 * 2 * 2)
      expect(slow.writableFinished).toBe(true)
      const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) })
      await expect(run({ ...options, output: broken })).rejects.toThrow('no room')
    },
  )

  const names = ["it's; a #1 %d -i.wav", '-y.wav', 'http:x.wav', 'zwölf 日本.wav']
  it.each(kinds(names, name => name.includes(';')))(
    'reads and writes files with any name: %s',
    async name => {
      writeFileSync(at(name), readFileSync(at('short.wav')))
      await run({ input: at(name), output: at(`${name}.mp3`), outputOptions: mp3 })
      expect(ffprobe(at(`${name}.mp3`)).audio.codec_name).toBe('mp3')
    },
  )

  testFull('passes nothing of our environment to ffmpeg, and starts it once', async () => {
    const { ffmpeg } = await import('./locate.ts')
    const { path } = await ffmpeg()
    const spy = at('spy')
    writeFileSync(
      spy,
      `#!/bin/sh\necho "start $@" >> ${at('spied')}\nenv >> ${at('spied')}\nexec ${path} "$@"\n`,
    )
    chmodSync(spy, 0o755)
    vi.stubEnv('REFILE_FFMPEG', spy)
    vi.stubEnv('FFREPORT', `file=${at('report.log')}`)
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9')
    vi.resetModules()
    const spied = await import('./run.ts')
    await spied.run({ input: at('short.wav'), output: at('spied.mp3'), outputOptions: mp3 })
    await spied.run({ input: at('short.wav'), output: at('spied.mp3'), outputOptions: mp3 })
    vi.unstubAllEnvs()
    vi.resetModules()
    const calls = readFileSync(at('spied'), 'utf8').split('\n')
    const starts = calls.filter(line => line.startsWith('start'))
    // One query to locate it, and then no processes except those that convert.
    expect(starts.filter(line => /-version|-encoders/.test(line))).toHaveLength(1)
    expect(starts).toHaveLength(3)
    const converting = calls.slice(calls.indexOf(starts.find(line => line.includes('-i file:')) as string))
    expect(converting.filter(line => /^(FFREPORT|http_proxy|HOME|REFILE_\w+)=/.test(line))).toEqual([])
    expect(existsSync(at('report.log'))).toBe(false)
  })
})

describe('stopping', () => {
  /** A run that would never end by itself. */
  const endless = { input: at('short.wav'), inputOptions: ['-stream_loop', '-1'], outputOptions: mp3 }

  testFull('ends ffmpeg and leaves nothing behind', async () => {
    const control = new AbortController()
    const output = at('cancelled.mp3')
    const started = run({ ...endless, output, signal: control.signal })
    started.catch(() => {})
    await expect.poll(() => existsSync(output)).toBe(true)
    expect(running(output)).toHaveLength(1)
    control.abort()
    await expect(started).rejects.toMatchObject({ name: 'AbortError' })
    expect(running(output)).toEqual([])
    expect(existsSync(output)).toBe(false)
  })

  it('before the start starts nothing', async () => {
    const output = at('never.mp3')
    await expect(run({ ...endless, output, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(running(output)).toEqual([])
    expect(existsSync(output)).toBe(false)
  })

  it('happens automatically after the time limit', async () => {
    const output = at('slow.mp3')
    await expect(run({ ...endless, output, seconds: 0.3 })).rejects.toMatchObject({ code: 'jobs.timeout' })
    expect(existsSync(output)).toBe(false)
  })
})

describe('a killed program', () => {
  const scripts: [when: string, script: string][] = [
    ['while it works', 'kill -9 $$'],
    ['although its output is complete', '"$real" "$@"; kill -9 $$'],
    ['after it complained', 'echo "Error while decoding stream #0:0" >&2; kill -9 $$'],
    ['and passes for one that ended well', '"$real" "$@" 2>/dev/null; exit 0'],
  ]
  it.each(kinds(scripts, ([when]) => when.startsWith('al')))('%s never succeeds', async (name, script) => {
    const { ffmpeg } = await import('./locate.ts')
    const { path } = await ffmpeg()
    const wrapper = at(`wrapper-${name.length}`)
    const located = `case "$*" in *-encoders*) exec "$real" "$@";; esac`
    writeFileSync(wrapper, `#!/bin/sh\nreal=${path}\n${located}\n${script}\n`, { mode: 0o755 })
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    vi.resetModules()
    const killed = await import('./run.ts')
    const output = at(`killed-${name.length}.wav`)
    await expect(killed.run({ input: at('short.wav'), output })).rejects.toMatchObject({
      code: 'jobs.engine_crashed',
    })
    vi.unstubAllEnvs()
    vi.resetModules()
    expect(existsSync(output)).toBe(false)
  })
})

describe('failures', () => {
  it.each([
    ['on the way', ['-stream_loop', '-1']],
    ['with the last bytes', []],
  ])('a disk that is full %s', async (_, inputOptions) => {
    symlinkSync('/dev/full', at('full.wav'))
    await expect(
      run({ input: at('short.wav'), inputOptions, output: at('full.wav'), outputOptions: ['-f', 'wav'] }),
    ).rejects.toMatchObject({ code: 'jobs.disk_full' })
    expect(existsSync(at('full.wav'))).toBe(false)
    expect(existsSync('/dev/full')).toBe(true)
  })

  testFull('a forced demuxer is the only one used', async () => {
    await expect(run({ input: at('short.wav'), demuxer: 'flac', output: null })).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  const refused: [what: string, outputOptions: string[]][] = [
    ['arguments that nobody knows', ['-nonsense', '1']],
    ['a value that is no number', ['-b:a', 'much']],
    ['a bit rate that the encoder refuses', ['-c:a', 'libopus', '-b:a', '9000k']],
    ['a sample rate that the encoder refuses', ['-c:a', 'libmp3lame', '-ar', '12345']],
    ['a filter that does not exist', ['-af', 'nonsense']],
    ['a filter with wrong settings', ['-af', 'atrim=start=x']],
    ['a container that cannot hold the codec', ['-c:a', 'flac', '-f', 'adts']],
    ['a container that nobody knows', ['-f', 'nonsense']],
  ]
  it.each(onlyFull(refused))('are not blamed on the file: %s', async (_, outputOptions) => {
    const failed = await run({ input: at('short.wav'), output: at('wrong.wav'), outputOptions }).catch(
      error => error,
    )
    expect(failed).toMatchObject({ code: 'jobs.engine_crashed', cause: { name: 'FailedRun' } })
    expect(existsSync(at('wrong.wav'))).toBe(false)
  })

  it('of a build without an encoder name what to install', async () => {
    await expect(
      run({ input: at('short.wav'), output: at('x.wav'), outputOptions: ['-c:a', 'libnonsense'] }),
    ).rejects.toMatchObject({ code: 'jobs.engine_missing' })
  })

  const failings: [how: string, script: string, code: string][] = [
    ['with a message that nobody knows', 'echo "Something new" >&2; exit 1', 'jobs.engine_crashed'],
    [
      'with a familiar message',
      'echo "Conversion failed!: Invalid data found" >&2; exit 1',
      'jobs.engine_crashed',
    ],
    ['without a message', 'exit 3', 'jobs.engine_crashed'],
    ['since it is gone', 'rm "$0"', 'jobs.engine_missing'],
  ]
  it.each(onlyFull(failings))(
    'of a program that fails %s, though it can read the file',
    async (name, script, code) => {
      const { path } = await (await import('./locate.ts')).ffmpeg()
      const wrapper = at(`failing-${name.length}`)
      const well = `case "$*" in *-encoders*|*"-f null"*) exec ${path} "$@";; esac`
      writeFileSync(wrapper, `#!/bin/sh\n${script.includes('rm') ? `${path} "$@"` : well}\n${script}\n`, {
        mode: 0o755,
      })
      vi.stubEnv('REFILE_FFMPEG', wrapper)
      vi.resetModules()
      const failing = await import('./run.ts')
      const failed = failing.run({ input: at('short.wav'), output: at('failed.wav') })
      await expect(failed).rejects.toMatchObject({ code })
      vi.unstubAllEnvs()
      vi.resetModules()
    },
  )

  it('of a program that reads nothing, with words that nobody knows, are not blamed on the file', async () => {
    const { path } = await (await import('./locate.ts')).ffmpeg()
    const wrapper = at('unreading')
    const script = `#!/bin/sh\ncase "$*" in *-encoders*) exec ${path} "$@";; esac\necho "Something new" >&2; exit 1\n`
    writeFileSync(wrapper, script, { mode: 0o755 })
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    vi.resetModules()
    const unreading = await import('./run.ts')
    for (const isReading of kinds([true, false], isReading => isReading))
      await expect(unreading.run({ input: at('short.wav'), output: null, isReading })).rejects.toMatchObject({
        code: 'jobs.engine_crashed',
      })
    vi.unstubAllEnvs()
    vi.resetModules()
  })

  const silent = ['-f', 'lavfi', '-i', 'color=s=16x16:d=0.2', '-c:v', 'mpeg4']
  const unreadable: [what: string, code: string, write: () => unknown][] = [
    ['text', 'jobs.corrupt_input', () => writeFileSync(at('text'), 'A letter, no recording.\n'.repeat(99))],
    ['an MP4 without its index', 'jobs.corrupt_input', () => cutCopy('whole.m4a', 0.5)],
    ['a video without sound', 'jobs.no_audio_track', () => make(at('silent'), ...silent, '-f', 'mp4')],
    ['a codec that nobody knows', 'jobs.unsupported_input', () => unknownCodec()],
  ]
  it.each(few(1, unreadable))(
    'of %s are those of the file, whatever is done with it',
    async (name, code, write) => {
      const path = String(write() ?? at('text'))
      for (const more of kinds([[], ['-c:a', 'flac', '-ar', '96000']], more => more.length > 0))
        await expect(
          run({ input: path, output: at(`${name.length}.wav`), outputOptions: ['-map', '0:a', ...more] }),
        ).rejects.toMatchObject({ code })
    },
  )

  function cutCopy(name: string, share: number): string {
    const bytes = readFileSync(make(at(name), '-i', at('short.wav')))
    writeFileSync(at(`cut-${name}`), bytes.subarray(0, bytes.length * share))
    return at(`cut-${name}`)
  }

  function unknownCodec(): string {
    const bytes = readFileSync(make(at('codec.mka'), '-i', at('short.wav'), '-c:a', 'aac'))
    bytes.write('A_XYZ', bytes.indexOf('A_AAC'), 'latin1')
    writeFileSync(at('unknown.mka'), bytes)
    return at('unknown.mka')
  }

  it('of a crash say so, unless the disk is full', async () => {
    const decodes = async () => {}
    const codeOf = async (log: string, crashed: boolean) =>
      (await failureOf(new FailedRun('it ended', log, crashed), decodes)).code
    expect(await codeOf('Error while decoding stream #0:0: Invalid data found', true)).toBe(
      'jobs.engine_crashed',
    )
    expect(await codeOf('No space left on device', true)).toBe('jobs.disk_full')
    expect(await codeOf('', true)).toBe('jobs.engine_crashed')
  })

  testFull('keep only the end of an endless log', async () => {
    // Bytes that look like MP3 frames but do not decode make ffmpeg complain about each one.
    const noise = Buffer.alloc(3_000_000)
    for (let i = 0; i < noise.length; i++) noise[i] = (i * 2_654_435_761) >>> 13
    for (let i = 0; i + 4 < noise.length; i += 417) noise.writeUInt32BE(0xfffb9064, i)
    writeFileSync(at('noise.mp3'), noise)
    const finished = await run({
      input: at('noise.mp3'),
      output: null,
      outputOptions: ['-map', '0:a'],
    }).catch(() => null)
    expect(finished?.log.length ?? 0).toBeLessThan(200_000)
  })
})
