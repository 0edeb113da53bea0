/** How the picture of videos is encoded: the one table of encoders and their arguments. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

type Distributed = 'h264' | 'h265' | 'vp9' | 'av1' | 'mpeg4' | 'mpeg2' | 'theora' | 'wmv'
/** Those in which videos are cut, or kept without loss. */
type Edited = 'prores' | 'prores4444' | 'dnxhr' | 'ffv1'
export type CodecName = Distributed | Edited

export interface Encoder {
  /** ffmpeg's name. */
  name: string
  /** Whether it is that of a graphics card, which is only used if that is asked for and works. */
  hardware?: boolean
  /** Constant rate factors of the qualities 1 and 100; absent if it has but one quality. */
  factors?: readonly [worst: number, best: number]
  /** Its arguments for them, unless it is `-crf`. */
  factor?: readonly string[]
  arguments: readonly string[]
  /** Whether the most frames from one key frame to the next are given to it: as many as ten seconds have. */
  groups?: boolean
  /** Pixels of the smallest picture that it takes. */
  smallest?: { width: number; height: number }
  /** Whether it writes 10 bits. */
  highBitDepth: boolean
  /** Its pixel formats, unless they are 4:2:0: without and with what is transparent; none if it takes any. */
  pixels?: readonly [opaque: string, clear: string] | readonly []
  /** Whether pictures have to be brought into the memory of a card. */
  uploads?: boolean
  /** Arguments of the first or the second of two passes, which share a log, after others; absent if it only encodes in one. */
  pass?: (number: 1 | 2, log: string, before: readonly string[]) => string[]
  /** Whether its two passes take each frame to last one unit of its times, as they do in ffmpeg before 6.1. */
  countsUnits?: boolean
}

interface VideoCodec {
  label: string
  /** ffmpeg's name of the codec. */
  codec: string
  /** The best one first. */
  encoders: readonly Encoder[]
}

const pass = (number: 1 | 2, log: string) => ['-pass', String(number), '-passlogfile', log]

const scaled = (factors: readonly [worst: number, best: number]) =>
  ({ factors, factor: ['-q:v'], highBitDepth: false }) as const

const prores = (profile: string, opaque: string, clear: string): Encoder => ({
  ...{ name: 'prores_ks', highBitDepth: true, pixels: [opaque, clear] },
  arguments: ['-profile:v', profile, '-vendor', 'apl0'],
})

/**
 * Encoders of graphics cards, those that are reached soonest first. Factors for about the quality of software differ by as much as those
 * of HandBrake's presets for the same purpose (docs/video.md).
 */
function onCards(codec: string, [worst, best]: readonly [worst: number, best: number]): Encoder[] {
  const card = (maker: string, worse: number, factor: readonly string[], ...given: string[]): Encoder => ({
    ...{ name: `${codec}_${maker}`, hardware: true, highBitDepth: false, pixels: ['nv12', 'nv12'] },
    ...{ factors: [worst + worse, best + worse], factor, arguments: given },
  })
  const device = 'vaapi=card:/dev/dri/renderD128'
  return [
    // From 1 to 100, where more is better.
    { ...card('videotoolbox', 0, ['-q:v']), factors: [120 - 2.5 * worst, 120 - 2.5 * best] },
    card('nvenc', 5, ['-cq'], '-preset', 'p5', '-rc', 'vbr', '-b:v', '0'),
    card('qsv', 3, ['-global_quality'], '-preset', 'medium'),
    card('amf', 3, ['-qp_i', '-qp_p'], '-quality', 'balanced', '-rc', 'cqp'),
    {
      ...card('vaapi', 3, ['-qp'], '-init_hw_device', device, '-filter_hw_device', 'card', '-rc_mode', 'CQP'),
      uploads: true,
    },
  ]
}

/** Factors and presets were measured for about equal similarity at a quality of 70. */
export const codecs: Readonly<Record<CodecName, VideoCodec>> = {
  h264: {
    label: 'H.264, plays everywhere',
    codec: 'h264',
    encoders: [
      ...onCards('h264', [36, 16]),
      {
        ...{ name: 'libx264', factors: [36, 16], highBitDepth: false, groups: true, pass },
        arguments: ['-preset', 'fast'],
      },
    ],
  },
  h265: {
    label: 'H.265, smaller',
    codec: 'hevc',
    encoders: [
      ...onCards('hevc', [40, 20]),
      {
        ...{ name: 'libx265', factors: [40, 20], highBitDepth: true, groups: true },
        arguments: ['-preset', 'fast', '-x265-params', 'log-level=error'],
        // The last parameters count; their values are separated by colons.
        pass: (number, log, before) => {
          const own = before[before.lastIndexOf('-x265-params') + 1]
          return ['-x265-params', `${own}:pass=${number}:stats=${log.replaceAll(':', '\\:')}`]
        },
      },
    ],
  },
  vp9: {
    label: 'VP9',
    codec: 'vp9',
    encoders: [
      {
        ...{ name: 'libvpx-vp9', factors: [56, 22], highBitDepth: true, pass, countsUnits: true },
        arguments: ['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1'],
      },
    ],
  },
  av1: {
    label: 'AV1, smallest and slow',
    codec: 'av1',
    encoders: [
      { name: 'libsvtav1', factors: [60, 24], arguments: ['-preset', '8'], highBitDepth: true },
      {
        ...{ name: 'libaom-av1', factors: [55, 22], highBitDepth: true, pass, countsUnits: true },
        arguments: ['-cpu-used', '6', '-row-mt', '1'],
      },
    ],
  },
  mpeg4: {
    label: 'MPEG-4',
    codec: 'mpeg4',
    encoders: [{ name: 'mpeg4', ...scaled([9, 2]), arguments: ['-mbd', '2', '-trellis', '2'], pass }],
  },
  mpeg2: {
    label: 'MPEG-2',
    codec: 'mpeg2video',
    encoders: [{ name: 'mpeg2video', ...scaled([9, 2]), arguments: ['-g', '15', '-bf', '2'], pass }],
  },
  wmv: {
    label: 'WMV 8',
    codec: 'wmv2',
    encoders: [{ name: 'wmv2', ...scaled([13, 2]), arguments: [], pass }],
  },
  theora: {
    label: 'Theora',
    codec: 'theora',
    encoders: [{ name: 'libtheora', ...scaled([3, 10]), arguments: [], pass }],
  },
  prores: {
    label: 'ProRes 422, for editing',
    codec: 'prores',
    encoders: [prores('3', 'yuv422p10le', 'yuv422p10le')],
  },
  prores4444: {
    label: 'ProRes 4444, for editing, with transparency',
    codec: 'prores',
    encoders: [prores('4', 'yuv444p10le', 'yuva444p10le')],
  },
  dnxhr: {
    label: 'DNxHR, for editing',
    codec: 'dnxhd',
    encoders: [
      {
        ...{ name: 'dnxhd', arguments: ['-profile:v', 'dnxhr_hqx'], highBitDepth: true },
        ...{ pixels: ['yuv422p10le', 'yuv422p10le'], smallest: { width: 256, height: 120 } },
      },
    ],
  },
  ffv1: {
    label: 'FFV1, without loss',
    codec: 'ffv1',
    encoders: [
      {
        ...{ name: 'ffv1', highBitDepth: true, pixels: [] },
        arguments: ['-level', '3', '-g', '1', '-slices', '16', '-slicecrc', '1'],
      },
    ],
  },
}

/** Those in which a graphics card can encode. */
export const onCard = (codec: CodecName): boolean => codecs[codec].encoders.some(({ hardware }) => hardware)

/** Whether a quality can be chosen. */
export const hasQuality = (codec: CodecName): boolean =>
  codecs[codec].encoders.some(({ factors }) => factors !== undefined)

/**
 * The encoder of a codec in a box; where this ffmpeg has none, that of another codec which the box holds.
 * @param encoders those that ffmpeg has
 * @param passes whether it must encode in two passes, if any can
 * @param card the one of a graphics card that may be used, if any
 * @throws JobFailure `engine_missing` if there is none for the box
 */
export function encoderOf(
  box: { codecs: readonly CodecName[] },
  wanted: CodecName,
  encoders: ReadonlySet<string>,
  passes: boolean,
  card?: string,
): { codec: CodecName; encoder: Encoder } {
  for (const codec of [wanted, ...box.codecs]) {
    const found = codecs[codec].encoders.filter(({ name, hardware }) =>
      hardware ? name === card : encoders.has(name),
    )
    const encoder = (passes ? found.find(each => each.pass) : undefined) ?? found[0]
    if (encoder) return { codec, encoder }
  }
  const all = box.codecs.flatMap(name => codecs[name].encoders)
  const names = all.flatMap(({ name, hardware }) => (hardware ? [] : name))
  throw new JobFailure('jobs.engine_missing', message('video.no_encoder', { encoders: names.join(', ') }))
}

export type ChosenEncoder = ReturnType<typeof encoderOf>

/** Arguments of a constant quality from 1 to 100. */
export function qualityArguments({ name, factors, factor = ['-crf'] }: Encoder, quality: number): string[] {
  if (!factors) return []
  const [worst, best] = factors
  const value = String(Math.round(worst + ((best - worst) * (quality - 1)) / 99))
  return [...factor.flatMap(each => [each, value]), ...(/^lib(vpx|aom)/.test(name) ? ['-b:v', '0'] : [])]
}
