/** Filters that keep the colours of pictures: every one of them follows the matrix that frames say they have. */
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'

/** Whether players take a picture that does not name its matrix for one of HDTV, as ffmpeg never does. */
const isLarge = ({ width, height }: PictureTrack) => width >= 1280 || height > 576

const isRgb = ({ pixelFormat }: PictureTrack) => /rgb|bgr|gbr|pal8/.test(pixelFormat)

const saidToBe709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709'

/** Names the matrix that players assume of a picture which names none; it comes before all other filters. */
export const named = (picture: PictureTrack): string[] =>
  // Decoders of VP8 name its only matrix themselves.
  picture.matrix === null && picture.codec !== 'vp8' && isLarge(picture) && !isRgb(picture)
    ? [saidToBe709]
    : []

/** Gives a picture of screen colours, such as a media file of a screen, the matrix that players assume of its size. */
export const matrixed = (picture: PictureTrack): string[] =>
  isRgb(picture) && isLarge(picture) ? ['scale=out_color_matrix=bt709', 'format=yuv444p', saidToBe709] : []

/** Brings a high dynamic range to that of ordinary screens. */
export const toneMapped = ({ hdr }: PictureTrack): string[] =>
  hdr
    ? [
        ...['zscale=t=linear:npl=100', 'format=gbrpf32le', 'zscale=p=bt709', 'tonemap=hable:desat=0'],
        'zscale=t=bt709:m=bt709:r=tv',
      ]
    : []
