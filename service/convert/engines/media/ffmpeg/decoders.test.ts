import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import {
  corpusFile,
  hasCorpus,
  make,
  makeAll,
  mediaFolder,
  tool,
} from '../../../../../testing/fixtures/media.ts'
import { decodersOf } from './decoders.ts'
import { run } from './run.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** How ffmpeg writes what a decoder reads: an extension, an encoder and further arguments. */
const pictures = {
  'h264 libopenh264': 'mp4 libx264 -preset ultrafast',
  hevc: 'mkv libx265 -preset ultrafast -x265-params log-level=none',
  'libdav1d libaom-av1': 'mkv libaom-av1 -cpu-used 8 -g 1',
  'vp8 libvpx': 'webm libvpx -deadline realtime',
  'vp9 libvpx-vp9': 'webm libvpx-vp9 -deadline realtime',
  ...{ mpeg4: 'avi mpeg4', msmpeg4v2: 'avi msmpeg4v2', msmpeg4: 'avi msmpeg4', h263: '3gp h263 -s 176x144' },
  ...{ mpeg1video: 'mpg mpeg1video', mpeg2video: 'mpg mpeg2video', wmv1: 'wmv wmv1', wmv2: 'wmv wmv2' },
  ...{
    rawvideo: 'avi rawvideo -pix_fmt yuv420p',
    v210: 'avi v210',
    mjpeg: 'avi mjpeg -pix_fmt yuvj420p',
    png: 'mov png',
  },
  ...{ dvvideo: 'avi dvvideo -s 720x576 -pix_fmt yuv420p', prores: 'mov prores', cfhd: 'mov cfhd' },
  dnxhd: 'mov dnxhd -profile:v dnxhr_lb -s 320x256 -pix_fmt yuv422p',
  ...{ huffyuv: 'avi huffyuv', ffvhuff: 'avi ffvhuff', utvideo: 'avi utvideo', ffv1: 'mkv ffv1' },
  ...{ qtrle: 'mov qtrle', svq1: 'mov svq1', rpza: 'mov rpza', smc: 'mov smc', cinepak: 'avi cinepak' },
  ...{ msvideo1: 'avi msvideo1', zmbv: 'avi zmbv', theora: 'ogv libtheora', flv: 'flv flv' },
  ...{
    flashsv: 'flv flashsv',
    flashsv2: 'flv flashsv2',
    gif: 'mov gif',
    bmp: 'avi bmp',
    webp: 'avi libwebp',
  },
}

const wholePcm = ['u8', 's8', 's16le', 's16be', 's24le', 's24be', 's32le', 's32be']
const pcm = [...wholePcm, 'f32le', 'f32be', 'f64le', 'f64be', 'alaw', 'mulaw']
const audioTracks = {
  ...{ 'aac libfdk_aac': 'm4a aac', aac_latm: 'ts aac -mpegts_flags latm', alac: 'm4a alac' },
  ...{ ac3: 'ac3 ac3', eac3: 'eac3 eac3', 'mp2float mp2': 'mpg mp2', 'mp3float mp3': 'mp3 libmp3lame' },
  ...{ 'vorbis libvorbis': 'ogg libvorbis', 'opus libopus': 'opus libopus', flac: 'flac flac' },
  ...{
    'speex libspeex': 'ogg libspeex -ar 16000',
    dca: 'ts dca -strict -2',
    truehd: 'mkv truehd -strict -2',
  },
  ...{
    mlp: 'mkv mlp -strict -2',
    wavpack: 'mkv wavpack',
    tta: 'mkv tta',
    wmav1: 'wma wmav1',
    wmav2: 'wma wmav2',
  },
  ...{ nellymoser: 'flv nellymoser -ar 22050 -ac 1', adpcm_swf: 'flv adpcm_swf -ar 22050' },
  ...{ adpcm_ms: 'wav adpcm_ms', adpcm_ima_wav: 'wav adpcm_ima_wav', adpcm_ima_qt: 'mov adpcm_ima_qt' },
  ...{ gsm_ms: 'wav libgsm_ms -ar 8000 -ac 1', pcm_dvd: 'vob pcm_dvd', pcm_bluray: 'm2ts pcm_bluray' },
  s302m: 'ts s302m -ac 2 -strict -2',
  ...Object.fromEntries(pcm.map(name => [`pcm_${name}`, `${/be$/.test(name) ? 'mov' : 'mkv'} pcm_${name}`])),
  ...{ pcm_s8: 'aiff pcm_s8', pcm_s64le: 'wav pcm_s64le' },
  ...{ pcm_alaw: 'wav pcm_alaw', pcm_mulaw: 'wav pcm_mulaw' },
}

const subtitles = {
  ...{ 'ass ssa': 'mkv ass', 'subrip srt': 'mkv subrip', webvtt: 'mkv webvtt', mov_text: 'mp4 mov_text' },
  text: 'mkv text',
}

const parts = (how: string) => {
  const [extension, encoder, ...options] = how.split(' ') as [string, string, ...string[]]
  return { extension, encoder, options }
}

/** One needs hardware, the other a file of the world. */
const ELSEWHERE = ['av1', 'als']

/** Samples by the decoder that reads them. */
const files: Record<string, string> = {}

/** Files that say they are of a codec which no free program writes, by its name. */
const named: Record<string, string> = {}

/** A copy of a file in which the name of its codec is another; `change` may alter more. */
function renamed(
  decoder: string,
  from: string,
  [old, name]: [string, string],
  change?: (bytes: Buffer) => void,
) {
  const path = at(`${decoder}${extname(from)}`)
  const bytes = Buffer.from(readFileSync(from).toString('latin1').replaceAll(old, name), 'latin1')
  change?.(bytes)
  writeFileSync(path, bytes)
  named[decoder] = path
}

/** A WAV file of noise in a codec of Windows Media, by its number. */
function numbered(decoder: string, tag: number): void {
  const bytes = Buffer.alloc(8192)
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 31) % 251
  bytes.write('RIFF\xf8\x1f\0\0WAVEfmt \x24\0\0\0', 'latin1')
  const format = [tag, 2, 44_100, 0, 5000, 0, 1024, 16, 18, 16, 3, 0, 0, 0, 0, 0, 0, 0]
  for (const [index, value] of format.entries()) bytes.writeUInt16LE(value, 20 + index * 2)
  bytes.write('data\xc4\x1f\0\0', 56, 'latin1')
  named[decoder] = at(`${decoder}.wav`)
  writeFileSync(named[decoder], bytes)
}

/** Marks the pictures of a Flash video, whose tags are number 9, as of another codec, of 4 × 3 blocks. */
const flash = (codec: number, header: number[]) => (bytes: Buffer) => {
  for (let at = 13; at < bytes.length; at += 15 + bytes.readUIntBE(at + 1, 3))
    if (bytes[at] === 9) bytes.set([0x10 | codec, ...header, 0x20, 0x46, 3, 4, 3, 4], at + 11)
}

describeFull('decoders that files of our formats need', true, () => {
  beforeAll(() => {
    const outputs = Object.entries({ v: pictures, a: audioTracks, s: subtitles }).flatMap(
      ([kind, all], input) =>
        Object.entries(all).map(([decoders, how]): [string, ...string[]] => {
          const { extension, encoder, options } = parts(how)
          const path = at(`${decoders.replaceAll(' ', '-')}.${extension}`)
          for (const decoder of decoders.split(' ')) files[decoder] = path
          return [path, '-map', `${input}`, `-c:${kind}`, encoder, ...options]
        }),
    )
    writeFileSync(at('words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nWords\n')
    makeAll(
      [
        ...['-f', 'lavfi', '-i', 'testsrc=s=64x48:d=0.16:r=25', '-f', 'lavfi', '-i', 'sine=d=0.2:r=48000'],
        ...['-i', at('words.srt')],
      ],
      outputs,
    )
    // Any bits sound like something to AMR (RFC 4867, section 5.3).
    files.amrnb = at('narrow.amr')
    writeFileSync(
      files.amrnb,
      Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(320, '<aabbccddeeffgghhiijjkkllmmnnoop')]),
    )
    files.amrwb = at('wide.amr')
    writeFileSync(
      files.amrwb,
      Buffer.concat([Buffer.from('#!AMR-WB\n'), Buffer.alloc(180, '\x04aabbccddeeffgghhi')]),
    )
    for (const [decoder, name] of Object.entries({
      indeo3: 'IV32',
      indeo4: 'IV41',
      indeo5: 'IV50',
      lagarith: 'LAGS',
      tscc: 'tscc',
      msrle: 'mrle',
    }))
      renamed(decoder, files.cinepak!, ['cvid', name])
    renamed('wmv3', files.msmpeg4!, ['MP43', 'WMV3'])
    renamed('vc1', files.ffvhuff!, ['FFVH', 'WVC1'])
    renamed('svq3', files.svq1!, ['SVQ1', 'SVQ3'])
    renamed('vp6f', files.flv!, ['', ''], flash(4, [0]))
    renamed('vp6a', files.flv!, ['', ''], flash(5, [0, 0, 0, 40]))
    for (const [decoder, tag] of Object.entries({ wmavoice: 0x0a, wmapro: 0x162, wmalossless: 0x163 }))
      numbered(decoder, tag)
  })

  /** Those that the system's build contains, of some codecs only one of several, with the letter of their kind. */
  const listed = () => {
    const all = tool('ffmpeg', '-hide_banner', '-decoders').matchAll(/^ ([VAS])[\w.]{5} (\S+)/gm)
    const present = new Map([...all].map(([, kind, name]) => [name, kind!.toLowerCase()]))
    return decodersOf().flatMap(name =>
      present.has(name) && !ELSEWHERE.includes(name) ? { name, kind: present.get(name)! } : [],
    )
  }

  it('each read a file, and no other is on the list', async () => {
    const all = listed()
    const own = all.filter(({ name }) => name in files)
    const inputs = own.map(({ name, kind }) => ({ input: files[name]!, inputOptions: [`-c:${kind}`, name] }))
    const { log, damaged } = await run({
      ...{ ...inputs[0]!, moreInputs: inputs.slice(1), output: null, verbosity: 'info' },
      outputOptions: [...own.flatMap((_, index) => ['-map', String(index)]), '-c:s', 'ass'],
    })
    // `vp9 (libvpx-vp9) -> …`, or `native` for the decoder that has the codec's name.
    const used = [...log.matchAll(/\((\S+) \((\S+)\) -> /g)].map(([, codec, name]) =>
      name === 'native' ? codec : name,
    )
    expect(new Set(used)).toEqual(new Set(own.map(({ name }) => name)))
    expect(damaged).toBe(0)

    // Tested by what they become: drawn subtitles, and sound of one bit.
    const elsewhere = /^(pgssub|dvdsub|dvbsub|dsd_lsbf_planar)$/
    const others = all.flatMap(({ name }) =>
      name in files || elsewhere.test(name) ? [] : [name === 'camtasia' ? 'tscc' : name],
    )
    expect(others.toSorted()).toEqual(Object.keys(named).toSorted())
    // ffmpeg opens the decoder to learn what the header does not say.
    const [first, ...rest] = Object.values(named).map(input => ({ input }))
    const opened = await run({
      ...{ ...first!, moreInputs: rest, output: null, verbosity: 'info', isReading: true },
      outputOptions: [
        ...Object.keys(named).flatMap((_, index) => ['-map', String(index)]),
        '-c',
        'copy',
        '-t',
        '0',
      ],
    })
    expect(opened.log).not.toContain('whitelist')
    for (const name of Object.keys(named))
      expect(opened.log).toMatch(new RegExp(`: (Audio|Video): ${name}\\b`))
  })

  it.runIf(hasCorpus)('read MPEG-4 ALS', async () => {
    const { time } = await run({
      input: corpusFile('mp4/32bit_pcm_to_als.mp4'),
      output: null,
      outputOptions: ['-map', '0:a'],
    })
    expect(time).toBeCloseTo(0.1)
  })
})

const refusal = {
  code: 'jobs.unsupported_input',
  reason: { key: 'recording.codec_not_read', parameters: { codec: 'magicyuv' } },
}
const other = () => make(at('magic.avi'), '-f', 'lavfi', '-i', 'testsrc=s=64x48:d=0.2', '-c:v', 'magicyuv')

it.each(few(1, ['mp4', 'jpg']))('a video for another decoder is refused by its name: %s', async target => {
  await expect(convertFile(`video.avi-to-${target}`, other())).rejects.toMatchObject(refusal)
})
