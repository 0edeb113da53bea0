/** What measuring a file found out about it, for the page to show and to leave out options that do not matter for it. */
export interface FileFacts {
  /** Pixels, as the picture is shown. */
  width?: number
  height?: number
  /** Frames of an animation; 1 for a still picture. */
  frames?: number
  /** Pages or slides. */
  pages?: number
  seconds?: number
  /** Whether a picture has transparent parts, or may have. */
  alpha?: boolean
  /** Whether there is something descriptive to be taken out. */
  metadata?: boolean
  audioTracks?: number
  /** Whether there is a moving picture beside the sound. */
  video?: boolean
  chapters?: number
}
