/** Pictures of television and old cameras, each of which holds two fields: half of its lines, taken one after the other. */
import { choice, type OptionsOf } from '../../catalogue/options.ts'
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'

export const deinterlace = choice(
  'Deinterlace',
  {
    auto: 'If the video says that it is interlaced',
    field: 'A frame of each field, as smooth as on television',
    frame: 'A frame of two fields',
    detelecine: 'The 24 frames of a film that was made into television',
    off: 'Not at all',
  },
  { description: 'Removes the combs at edges that move.', default: 'auto' },
)

export type Deinterlace = OptionsOf<{ deinterlace: typeof deinterlace }>['deinterlace']

/** Frames out of five that a video in television of 30 frames a second has of its own. */
const OWN = 0.8

/** Filters that leave whole pictures, and how many frames they make of one. */
export function deinterlaced(
  { interlaced }: PictureTrack,
  mode: Deinterlace,
): { filters: string[]; frames: number } {
  // Others are left alone where frames tell which they are; who asks for it knows better than the file.
  const which = mode === 'auto' ? 'interlaced' : 'all'
  if (mode === 'off' || (mode === 'auto' && !interlaced)) return { filters: [], frames: 1 }
  if (mode === 'detelecine')
    return {
      filters: ['fieldmatch=combmatch=full', 'bwdif=mode=send_frame:deint=interlaced', 'decimate'],
      frames: OWN,
    }
  if (mode === 'frame') return { filters: [`bwdif=mode=send_frame:deint=all`], frames: 1 }
  return { filters: [`bwdif=mode=send_field:deint=${which}`], frames: 2 }
}

/** Filters that leave as many frames as before, for single pictures and animations. */
export const progressive = ({ interlaced }: PictureTrack): string[] =>
  interlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []

/** What a picture is after that, whose times have as much finer a grid. */
export const withFrames = (picture: PictureTrack, frames: number): PictureTrack => ({
  ...picture,
  interlaced: picture.interlaced && frames === 1,
  fps: picture.fps && picture.fps * frames,
  grid: picture.grid && picture.grid * frames,
})
