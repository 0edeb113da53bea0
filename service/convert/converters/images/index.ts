import { defineConverters, perMegabyte, perPage } from '../../catalogue/converter.ts'
import type { FormatKey } from '../../catalogue/formats.ts'
import { lottieOptions } from './lottie/options.ts'
import { imageOptions, imageOptionsOf } from './options.ts'

const costing = perMegabyte(5)
const perFrame = perPage(100, { unit: 'frames' })

const animatedOptions = imageOptionsOf({ frames: true })
const phoneOptions = imageOptionsOf({ hdr: true, phone: true })
const vectorGraphicOptions = imageOptionsOf({ vectorGraphic: true })
const sameOptions = imageOptionsOf({ same: true, hdr: true })
const iconOptions = imageOptionsOf({ sizes: true })
const pagedOptions = imageOptionsOf({ pages: true })

const video = () => import('./motion-photo/work.ts')
const heic = () => import('./heic/work.ts')
const icon = () => import('./icon/work.ts')
const metafile = () => import('./metafile/work.ts')
const lottie = () => import('./lottie/work.ts')
const raster = () => import('./raster/work.ts')
const same = () => import('./same/work.ts')
const still = () => import('./still/work.ts')
const svg = () => import('./svg/work.ts')
const tiff = () => import('./tiff/work.ts')

/**
 * How each format is read, what the contract has it become, and which of that is chosen for a new file. Lottie and the cameras' own
 * formats become nothing else; `same` is written smaller in its own format.
 */
// biome-ignore format: a table
export const readers = {
  avif: { targets: ['gif', 'jpg', 'png', 'webp'], likely: 'jpg', same: true, options: imageOptionsOf({ frames: true, hdr: true }), engine: 'pixels', load: raster },
  bmp: { targets: ['jpg', 'png'], likely: 'png', options: imageOptions, engine: 'pixels', load: still },
  dds: { options: imageOptions, engine: 'pixels', load: still },
  emf: { options: imageOptions, engine: 'office', load: metafile },
  exr: { options: imageOptions, engine: 'ffmpeg', load: still },
  gif: { targets: ['avif', 'jpg', 'png', 'webp'], likely: 'webp', same: true, options: animatedOptions, engine: 'pixels', load: raster },
  hdr: { options: imageOptions, engine: 'pixels', load: still },
  heic: { targets: ['avif', 'jpg', 'png', 'webp'], likely: 'jpg', options: phoneOptions, engine: 'pixels', load: heic },
  ico: { targets: ['png'], likely: 'png', options: iconOptions, engine: 'pixels', load: icon },
  jp2: { options: imageOptions, engine: 'pixels', load: still },
  // JPEG is read everywhere already, and WebP makes it smaller, where PNG makes it several times as large.
  jpg: { targets: ['avif', 'ico', 'png', 'webp'], likely: 'webp', same: true, options: phoneOptions, engine: 'pixels', load: raster },
  jxl: { options: imageOptions, engine: 'pixels', load: still },
  pict: { targets: ['avif', 'bmp', 'jpg', 'pdf', 'png', 'tiff', 'webp'], likely: 'png', options: imageOptions, engine: 'pixels', load: still },
  png: { targets: ['avif', 'ico', 'jpg', 'webp'], likely: 'jpg', same: true, options: animatedOptions, engine: 'pixels', load: raster },
  psd: { targets: ['jpg', 'png'], likely: 'png', options: imageOptions, engine: 'pixels', load: still },
  qoi: { options: imageOptions, engine: 'pixels', load: still },
  raw: { targets: ['avif', 'jpg', 'png', 'webp'], likely: 'jpg', options: imageOptions, engine: 'raw', load: still },
  svg: { targets: ['jpg', 'png'], likely: 'png', options: vectorGraphicOptions, engine: 'pixels', load: svg },
  tga: { options: imageOptions, engine: 'pixels', load: still },
  tiff: { targets: ['jpg', 'pdf', 'png'], likely: 'jpg', options: pagedOptions, engine: 'pixels', load: tiff },
  wmf: { options: imageOptions, engine: 'office', load: metafile },
  webp: { targets: ['avif', 'gif', 'jpg', 'png'], likely: 'jpg', same: true, options: animatedOptions, engine: 'pixels', load: raster },
} as const
type Source = keyof typeof readers

// biome-ignore format: a table
const others = defineConverters('images', [
  { source: 'cr2', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: still },
  { source: 'cr3', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: still },
  { source: 'nef', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: still },
  { source: 'tiff', targets: ['tiff'], extension: true, costing, options: pagedOptions, engine: 'pixels', load: tiff },
  { source: 'lottie', targets: ['apng', 'gif', 'jpg', 'png', 'webm', 'webp'], likely: 'gif', costing: perFrame, options: lottieOptions, engine: 'drawing', load: lottie, measure: lottie },
  { source: 'tgs', targets: ['apng', 'gif', 'jpg', 'png', 'webp'], likely: 'gif', costing: perFrame, options: lottieOptions, engine: 'drawing', load: lottie, measure: lottie },
])

/** Every picture becomes each of these. */
// biome-ignore format: a table
const written = ['jpg', 'png', 'webp', 'avif', 'heic', 'gif', 'tiff', 'bmp', 'ico', 'icns', 'pdf', 'jxl', 'jp2', 'qoi', 'tga', 'exr'] as const

/** Flat graphics, which also become SVG; a vectorized photo is of no use. */
const graphics: readonly FormatKey[] = ['avif', 'bmp', 'gif', 'jpg', 'png', 'psd', 'tiff', 'webp']

/** PDF from these is a document, which several of them can be. */
const documented: readonly FormatKey[] = ['jpg', 'png']

/** What the contract has, then readers × writers without what a format is already. */
const rows = (Object.keys(readers) as Source[]).flatMap(source => {
  const {
    targets,
    likely,
    same: isSame,
    ...reader
  }: { targets?: readonly FormatKey[]; likely?: FormatKey; same?: true } & Pick<
    (typeof readers)[Source],
    'engine' | 'load' | 'options'
  > = readers[source]
  const known = targets ?? []
  const further = [...written, ...(graphics.includes(source) ? (['svg'] as const) : [])].filter(
    target =>
      target !== source && !known.includes(target) && !(target === 'pdf' && documented.includes(source)),
  )
  const extension = { source, extension: true, costing } as const
  return defineConverters('images', [
    { source, targets: known, ...(likely && { likely }), costing, ...reader },
    ...(isSame ? [{ ...extension, targets: [source], ...reader, options: sameOptions, load: same }] : []),
    { ...extension, targets: further, ...(!likely && { likely: 'png' as const }), ...reader },
  ])
})

/** The videos in motion photos. */
// biome-ignore format: a table
const videos = defineConverters('images', [
  { source: 'heic', targets: ['mp4'], extension: true, costing, engine: 'pixels', load: video, requires: { motionVideo: true } },
  { source: 'jpg', targets: ['mp4'], extension: true, costing, engine: 'pixels', load: video, requires: { motionVideo: true } },
])

export default [...others, ...rows, ...videos]
