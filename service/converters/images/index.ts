import avif from './avif.ts'
import bmp from './bmp.ts'
import cr2 from './cr2.ts'
import cr3 from './cr3.ts'
import gif from './gif.ts'
import heic from './heic.ts'
import ico from './ico.ts'
import jpg from './jpg.ts'
import lottie from './lottie.ts'
import nef from './nef.ts'
import pict from './pict.ts'
import png from './png.ts'
import psd from './psd.ts'
import raw from './raw.ts'
import svg from './svg.ts'
import tgs from './tgs.ts'
import tiff from './tiff.ts'
import webp from './webp.ts'

/** Declarations of this category, a file per source format. */
export default [
  ...avif,
  ...bmp,
  ...cr2,
  ...cr3,
  ...gif,
  ...heic,
  ...ico,
  ...jpg,
  ...lottie,
  ...nef,
  ...pict,
  ...png,
  ...psd,
  ...raw,
  ...svg,
  ...tgs,
  ...tiff,
  ...webp,
]
