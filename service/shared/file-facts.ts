/** What measuring found out about a file, shown by the page and used to hide options that do not apply. */
export interface FileFacts {
  /** Size in pixels, as displayed. */
  width?: number
  height?: number
  /** Frames of an animation; 1 for a still picture. */
  frames?: number
  /** Pages or slides. */
  pages?: number
  seconds?: number
  /** Frames per second of a video, as far as it is the same throughout. */
  fps?: number
  /** Whether a picture has, or may have, transparent parts, and whether its samples have more than 8 bits. */
  alpha?: boolean
  highBitDepth?: boolean
  /** Whether there is descriptive metadata that can be removed. */
  metadata?: boolean
  /** Whether a photo has a brighter rendition for HDR screens or only that, in PQ or HLG, and a video that goes with it. */
  hdr?: boolean
  hdrCurve?: boolean
  motionVideo?: boolean
  /** Camera, local time (`2021-05-03T12:00:00`), and latitude and longitude of a photo. */
  camera?: string
  taken?: string
  place?: string
  /** Title, author and the like of a PDF, by their names in it. */
  properties?: Record<string, string>
  audioTracks?: number
  /** Whether there is video besides the audio. */
  video?: boolean
  chapters?: number
  /** Tracks of subtitles. */
  subtitles?: number
}
