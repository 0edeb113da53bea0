/** Describes a media file as plain JSON, so that it can be stored with a job and sent between processes. */

import { version } from '../../../../shared/version.ts'

// Type aliases rather than interfaces: only aliases are assignable to a JSON type.

/** What a track of sound or subtitles says of itself. */
export type TrackName = {
  /** Index among the tracks of its kind, from 0. */
  position: number
  /** ISO 639 code as written in the file, or null. */
  language: string | null
  /** What it is called, or null. */
  title: string | null
  /** Whether the file marks the track as the default. */
  preferred: boolean
  /** Whether it is meant to be played or shown whatever one has chosen. */
  forced: boolean
}

export type AudioTrack = TrackName & {
  /** ffmpeg's name of the codec, such as `aac` or `pcm_s24le`. */
  codec: string
  /** ffmpeg's name of the codec's profile, such as `LC`, or empty. */
  profile: string
  /** Samples per second. */
  sampleRate: number
  channels: number
  /** ffmpeg's name of the channel layout, such as `5.1(side)`. */
  layout: string
  /** Significant bits of a decoded sample. */
  bits: number
  /** Whether samples are decoded to floating point. */
  float: boolean
}

export type SubtitleTrack = TrackName & {
  /** ffmpeg's name of the codec, such as `subrip`; `none` if it is unknown. */
  codec: string
}

export type PictureTrack = {
  /** Index among the video streams, from 0. */
  position: number
  /** ffmpeg's name of the codec, such as `h264`. */
  codec: string
  /** ffmpeg's name of the pixel format, such as `yuv420p10le`. */
  pixelFormat: string
  /** Size in pixels as stored, before it is turned by `rotation`. */
  width: number
  height: number
  /** Width of a pixel as it is shown, in its heights. */
  pixelAspect: number
  /** Frames per second; null if unknown. */
  fps: number | null
  /** Frames per second of the even times which ffmpeg takes its frames to have; null if unknown. */
  grid: number | null
  /** Degrees by which players turn it, as ffmpeg counts them. */
  rotation: number
  interlaced: boolean
  /** ffmpeg's name of the matrix between its colours and those of screens, such as `bt709`; null if the file does not say. */
  matrix: string | null
  /** Whether its brightness goes beyond that of ordinary screens: HLG or PQ (ITU-R BT.2100). */
  hdr: boolean
  /** Whether it says how Dolby Vision is to show it. */
  dolbyVision: boolean
  /** Whether it is transparent in places, as far as the container or the pixels can be. */
  alpha: boolean
}

export type Chapter = {
  /** Seconds from the start of the media file. */
  start: number
  end: number
  title: string
}

export type MediaInfo = {
  /** ffmpeg's name of the container, such as `wav` or `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string
  /** The demuxer to force if ffmpeg would misidentify the file; null for any. */
  demuxer: string | null
  /** Time of its first packet in seconds, from which all others are counted. */
  start: number
  /** Null if the file does not say, like live media files. */
  seconds: number | null
  /** Length according to the header, in seconds, if the file is known to be shorter; null otherwise. */
  promised: number | null
  /** Whether the container continues beyond the end of the file, or was never finished. */
  cutOff: boolean
  /** Whether there is video besides the audio. */
  video: boolean
  /** Whether the container holds pictures before the first one that it shows. */
  hidesPictures: boolean
  /** Whether the file is several Ogg media files, one after the other, whose times each start at zero. */
  chained: boolean
  /** Where the audio of the first track ends, in seconds; null if all of it is to be played or the end is unknown. */
  soundEnd: number | null
  /** Whether the first track can be read from any sample on: packets have exact times and need little before them. */
  seekable: boolean
  /** Whether `seconds` is only estimated from the bit rate, as for AAC without a container. */
  estimated: boolean
  tracks: AudioTrack[]
  /** The first picture that moves; null if there is only audio. */
  picture: PictureTrack | null
  /** Further pictures that move, which are not converted. */
  otherPictures: PictureTrack[]
  /** Number of pictures that do not move, such as covers. */
  covers: number
  subtitles: SubtitleTrack[]
  /**
   * Tags under ffmpeg's lower-case names: `title`, `album_artist`, `track`, … The names come from the file, so the
   * object has no prototype, and only known names should be looked up.
   */
  tags: Record<string, string>
  chapters: Chapter[]
  /** Version of Refile that has described it. */
  version: string
}

/** What there is nothing to say of, in most files. */
export const nothing = {
  ...{ start: 0, demuxer: null, promised: null, cutOff: false, hidesPictures: false, chained: false },
  ...{ seekable: false, estimated: false, picture: null, otherPictures: [], covers: 0, subtitles: [] },
  ...{ soundEnd: null, tags: {}, chapters: [], version },
} satisfies Partial<MediaInfo>

/** One track of plain samples, or of a codec that is described by itself. */
export const alone = (
  track: Pick<AudioTrack, 'codec' | 'sampleRate' | 'channels' | 'bits' | 'float'>,
): AudioTrack => ({
  ...{ position: 0, profile: '', language: null, title: null, forced: false, preferred: true, ...track },
  layout: { 1: 'mono', 2: 'stereo' }[track.channels] ?? '',
})

/** Whether a value is a media file as this version describes it; stored ones may come from another version. */
export const isRecording = (value: unknown): value is MediaInfo =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === version

/** Whether a file ends before what its header promises. */
export const isBrokenOff = ({ cutOff, promised }: MediaInfo): boolean => cutOff || promised !== null

/** Whether a codec, by ffmpeg's name, reproduces exactly the original samples. */
export const isLossless = (codec: string): boolean =>
  /^(pcm_|flac$|alac$|wavpack$|tta$|ape$|wmalossless$|mlp$|truehd$|mp4als$|als$)/.test(codec)
