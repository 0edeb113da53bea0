/** Several videos as one: read one after the other where they are alike, otherwise brought to the shape of the first one. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { concatenated } from '../../../engines/media/ffmpeg/concatenated.ts'
import { outputOf } from '../../../engines/media/ffmpeg/pipe.ts'
import type { AudioTrack, MediaInfo, PictureTrack } from '../../../engines/media/ffmpeg/recording.ts'
import { BOTH_SIDES, common, joinedChapters } from '../../audio/joined/source.ts'
import { pickTrack } from '../../audio/plan.ts'
import type { TimeRange } from '../../audio/span.ts'
import { named, toneMapped } from '../colours.ts'
import { type Deinterlace, deinterlaced, withFrames } from '../deinterlace.ts'
import { sizeWithin, squareOf, squarePixels } from '../shape.ts'
import { reading, type VideoSource } from '../source.ts'

/** A video to join. */
export interface VideoInput extends VideoSource {
  /** Path of its file, in the folder of the task. */
  path: string
  /** Its name without suffix, the title of its chapter. */
  stem: string
  picture: PictureTrack
}

/**
 * @param isKept whether the picture of such a video would be kept unchanged; seams are only exact in all of it
 * @throws JobFailure as `outputOf` does
 */
export async function joined(
  members: readonly VideoInput[],
  { folder, warn }: Pick<Task, 'folder' | 'warn'>,
  isKept: (media: MediaInfo) => boolean,
  mode: Deinterlace,
): Promise<VideoSource> {
  const [first] = members as [VideoInput, ...VideoInput[]]
  const seconds = members.map(({ media }) => media.seconds)
  const lengths = seconds.map(each => each ?? 0)
  const starts = [0, ...lengths].map((_, index) =>
    lengths.slice(0, index).reduce((sum, each) => sum + each, 0),
  )
  const whole: MediaInfo = {
    ...first.media,
    ...{
      promised: null,
      cutOff: false,
      soundEnd: null,
      seekable: false,
      otherPictures: [],
      covers: 0,
      subtitles: [],
      tags: {},
    },
    seconds: seconds.includes(null) ? null : starts.at(-1)!,
    estimated: members.some(({ media }) => media.estimated),
    // Sound is not copied across the seams, where encoders have left silence.
    chained: true,
    chapters: joinedChapters(
      members.map(({ stem, media }) => ({ stem, chapters: media.chapters })),
      starts,
    ),
  }
  const audioTracks = commonTracks(members)
  const lost = members.reduce(
    (sum, { media }, index) =>
      sum + media.subtitles.length + media.tracks.length - audioTracks[index]!.length,
    0,
  )
  if (lost > 0) warn(message('video.joined_left_out', { tracks: lost }))

  const one: MediaInfo = { ...whole, tracks: audioTracks[0]! }
  const earliest = isKept(one) ? await startIfAlike(members, audioTracks) : null
  if (earliest !== null) {
    const list = await concatenated(
      folder,
      members.map(({ path }) => path),
    )
    // Otherwise the picture would begin after what encoders put before the sound, which is not played.
    const inputOptions = ['-itsoffset', earliest.toFixed(6)]
    return { media: one, open: () => ({ ...list, inputOptions }) }
  }
  const { tracks, picture, run } = broughtTogether(members, audioTracks, mode)
  return {
    media: { ...whole, container: 'nut', demuxer: 'nut', tracks, picture },
    open: span => ({
      input: Readable.from(
        outputOf(run(span), ({ damaged }) => {
          if (damaged > 0) warn(message('recording.packets_skipped', { packets: damaged }))
        }),
        { objectMode: false },
      ),
      demuxer: 'nut',
      // Raw pictures do not tell their colours.
      inputOptions: ['colorspace', 'color_primaries', 'color_trc'].flatMap(name => [`-${name}`, 'bt709']),
    }),
  }
}

/**
 * Of each video, the tracks of sound that all with any sound have, in the order of the first of these: those of the same language, and
 * otherwise one after the other. Of one that has only one track, the usual one of each is taken.
 */
function commonTracks(members: readonly VideoInput[]): AudioTrack[][] {
  const all = members.map(({ media }) => media.tracks.filter(({ channels }) => channels > 0))
  const heard = all.filter(tracks => tracks.length > 0)
  const count = Math.min(...heard.map(tracks => tracks.length))
  if (count === 1) return all.map(tracks => (tracks.length > 0 ? [pickTrack(tracks)] : []))
  return all.map(tracks => {
    const left = [...tracks]
    const take = ({ language }: AudioTrack) => {
      const found = left.findIndex(track => track.language === language)
      return left.splice(Math.max(0, found), 1)
    }
    return tracks.length > 0 ? heard[0]!.slice(0, count).flatMap(take) : []
  })
}

/**
 * Where the first packet of the first one begins, in seconds, if the tracks of all of them could be those of one file: the same
 * codecs with the same parameters in the same places. Null otherwise.
 */
async function startIfAlike(
  members: readonly VideoInput[],
  audioTracks: readonly AudioTrack[][],
): Promise<number | null> {
  const found = new Map<string, number>()
  for (const [index, { path, media, picture }] of members.entries()) {
    const { container, demuxer } = media
    const maps = audioTracks[index]!.map(({ position }) => `0:a:${position}`)
    let log = ''
    const outputOptions = [
      ...[`0:v:${picture.position}`, ...maps].flatMap(map => ['-map', map]),
      ...['-c', 'copy', '-frames:v', '1', '-frames:a', '1', '-f', 'framemd5'],
    ]
    const list = await text(
      outputOf({ input: path, demuxer, outputOptions, verbosity: 'info' }, finished => {
        log = finished.log
      }),
    )
    // Its head tells the codecs, their headers, and the units of times.
    const head = list.match(/^#(?!software).*$/gm)
    const places = log.split(/^Output #0/m)[0]!.match(/^ +Stream #0:\d+|: (Audio|Video|Subtitle|Data)(?=:)/gm)
    const units = Array.from(
      list.matchAll(/^#tb \d: (\d+)\/(\d+)$/gm),
      ([, one, of]) => Number(one) / Number(of),
    )
    const starts = Array.from(
      list.matchAll(/^(\d), *-?\d+, *(-?\d+),/gm),
      ([, track, time]) => Number(time) * units[Number(track)]!,
    )
    const traits = JSON.stringify([container, demuxer, picture.rotation, head, places, maps])
    if (!found.has(traits)) found.set(traits, Math.min(0, ...starts))
    if (found.size > 1) return null
  }
  return [...found.values()][0] ?? null
}

/** The highest frame rate that all are brought to: more is only said of videos whose times vary. */
const MOST_FPS = 120

/** How ffmpeg decodes all of them into one picture of the size of the first one, and one track of sound. */
function broughtTogether(
  members: readonly VideoInput[],
  audioTracks: readonly AudioTrack[][],
  mode: Deinterlace,
) {
  const [first] = members as [VideoInput, ...VideoInput[]]
  const { width, height } = sizeWithin(squareOf(first.picture), {})
  const rates = members.map(({ picture }) => withFrames(picture, deinterlaced(picture, mode).frames).fps ?? 0)
  const fps = Math.min(MOST_FPS, Math.max(...rates))
  const heard = audioTracks.filter(each => each.length > 0)
  const tracks = (heard[0] ?? []).map(({ language, title }, position) => ({
    ...common(heard.map(each => each[position]!)).track,
    // The name of the codec is one that no format of video keeps.
    ...{ position, language, title, codec: 'pcm_f32le' },
  }))
  const shown = ({ picture }: VideoInput, index: number) => [
    `[${index}:v:${picture.position}]`,
    [
      ...[...named(picture), ...deinterlaced(picture, mode).filters],
      ...[...toneMapped(picture), ...squarePixels],
      ...(fps > 0 ? [`fps=${fps}`] : []),
      [
        `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
        'flags=bicubic:out_color_matrix=bt709:out_range=tv',
      ].join(':'),
      ...[`pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`, 'setsar=1', 'format=yuv420p'],
    ].join(),
    `[v${index}]`,
  ]
  const played = ({ sampleRate, channels, position }: AudioTrack, index: number) => {
    const track = audioTracks[index]![position]
    const layout = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }[channels] ?? '5.1'
    return [
      ...(track ? [`[${index}:a:${track.position}]`] : []),
      [
        ...(track ? [] : ['anullsrc', 'atrim=duration=0.01']),
        ...(track?.channels === 1 && layout === 'stereo' ? [BOTH_SIDES] : []),
        `aformat=sample_fmts=flt:sample_rates=${sampleRate}:channel_layouts=${layout}`,
      ].join(),
      `[a${index}.${position}]`,
    ].join('')
  }
  const ways = members.map(
    (_, index) => `[v${index}]${tracks.map((_, nth) => `[a${index}.${nth}]`).join('')}`,
  )
  const outputs = ['[v]', ...tracks.map((_, nth) => `[a${nth}]`)]
  const graph = [
    ...members.map((member, index) => shown(member, index).join('')),
    ...members.flatMap((_, index) => tracks.map(track => played(track, index))),
    `${ways.join('')}concat=n=${members.length}:v=1:a=${tracks.length}${outputs.join('')}`,
  ]
  const inputs = members.map(({ path, media: { demuxer } }) => ({ input: path, demuxer }))
  return {
    tracks,
    picture: {
      ...{ position: 0, codec: 'rawvideo', pixelFormat: 'yuv420p', width, height, rotation: 0 },
      ...{ fps: fps || null, grid: null },
      ...{ pixelAspect: 1, interlaced: false, matrix: 'bt709', hdr: false, dolbyVision: false, alpha: false },
    },
    // The seams are not where ffmpeg would look for the beginning of a span, so that all before it is read.
    run: (span: TimeRange) => ({
      ...inputs[0]!,
      moreInputs: inputs.slice(1),
      outputOptions: [
        ...['-filter_complex', graph.join(';'), ...outputs.flatMap(output => ['-map', output])],
        ...reading(span),
        ...['-fps_mode:v', 'passthrough', '-c:v', 'rawvideo', '-c:a', 'pcm_f32le', '-f', 'nut'],
      ],
    }),
  }
}
