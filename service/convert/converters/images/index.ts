import { defineConverters, perMegabyte, perPage } from '../../catalogue/converter.ts'
import type { FormatKey } from '../../catalogue/formats.ts'
import { lottieOptions } from './lottie/options.ts'
import { imageOptions, imageOptionsOf } from './options.ts'

const costing = perMegabyte(5)
const perFrame = perPage(100, { unit: 'frames' })

const animatedOptions = imageOptionsOf({ frames: true })
const drawingOptions = imageOptionsOf({ drawing: true })
const sameOptions = imageOptionsOf({ same: true })
const iconOptions = imageOptionsOf({ sizes: true })
const pagedOptions = imageOptionsOf({ pages: true })

const bmp = () => import('./bmp/work.ts')
const exr = () => import('./exr/work.ts')
const hdr = () => import('./hdr/work.ts')
const heic = () => import('./heic/work.ts')
const icon = () => import('./icon/work.ts')
const lottie = () => import('./lottie/work.ts')
const magick = () => import('./magick/work.ts')
const pict = () => import('./pict/work.ts')
const psd = () => import('./psd/work.ts')
const raster = () => import('./raster/work.ts')
const raw = () => import('./raw/work.ts')
const same = () => import('./same/work.ts')
const svg = () => import('./svg/work.ts')
const tiff = () => import('./tiff/work.ts')

// biome-ignore format: a table
const rows = defineConverters('images', [
  { source: 'avif', targets: ['gif', 'jpg', 'png', 'webp'], likely: 'jpg', costing, options: animatedOptions, engine: 'pixels', load: raster },
  { source: 'bmp', targets: ['jpg', 'png'], likely: 'png', costing, options: imageOptions, engine: 'pixels', load: bmp },
  { source: 'cr2', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: raw },
  { source: 'cr3', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: raw },
  { source: 'gif', targets: ['avif', 'jpg', 'png', 'webp'], likely: 'webp', costing, options: animatedOptions, engine: 'pixels', load: raster },
  { source: 'heic', targets: ['avif', 'jpg', 'png', 'webp'], likely: 'jpg', costing, options: imageOptions, engine: 'pixels', load: heic },
  { source: 'ico', targets: ['png'], likely: 'png', costing, options: iconOptions, engine: 'pixels', load: icon },
  // JPEG is read everywhere already, and WebP makes it smaller, where PNG makes it several times as large.
  { source: 'jpg', targets: ['avif', 'ico', 'png', 'webp'], likely: 'webp', costing, options: imageOptions, engine: 'pixels', load: raster },
  { source: 'lottie', targets: ['apng', 'gif', 'jpg', 'png', 'webm', 'webp'], likely: 'gif', costing: perFrame, options: lottieOptions, engine: 'drawing', load: lottie, measure: lottie },
  { source: 'nef', targets: ['jpg', 'png'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: raw },
  { source: 'pict', targets: ['avif', 'bmp', 'jpg', 'pdf', 'png', 'tiff', 'webp'], likely: 'png', costing, options: imageOptions, engine: 'pixels', load: pict },
  { source: 'png', targets: ['avif', 'ico', 'jpg', 'webp'], likely: 'jpg', costing, options: animatedOptions, engine: 'pixels', load: raster },
  { source: 'psd', targets: ['jpg', 'png'], likely: 'png', costing, options: imageOptions, engine: 'pixels', load: psd },
  { source: 'raw', targets: ['avif', 'jpg', 'png', 'webp'], likely: 'jpg', costing, options: imageOptions, engine: 'raw', load: raw },
  { source: 'svg', targets: ['jpg', 'png'], likely: 'png', costing, options: drawingOptions, engine: 'pixels', load: svg },
  { source: 'tgs', targets: ['apng', 'gif', 'jpg', 'png', 'webp'], likely: 'gif', costing: perFrame, options: lottieOptions, engine: 'drawing', load: lottie, measure: lottie },
  { source: 'tiff', targets: ['jpg', 'pdf', 'png'], likely: 'jpg', costing, options: pagedOptions, engine: 'pixels', load: tiff },
  { source: 'webp', targets: ['avif', 'gif', 'jpg', 'png'], likely: 'jpg', costing, options: animatedOptions, engine: 'pixels', load: raster },
])

/** Smaller files of the same format. */
// biome-ignore format: a table
const smaller = defineConverters('images', [
  { source: 'avif', targets: ['avif'], extension: true, costing, options: sameOptions, engine: 'pixels', load: same },
  { source: 'gif', targets: ['gif'], extension: true, costing, options: sameOptions, engine: 'pixels', load: same },
  { source: 'jpg', targets: ['jpg'], extension: true, costing, options: sameOptions, engine: 'pixels', load: same },
  { source: 'png', targets: ['png'], extension: true, costing, options: sameOptions, engine: 'pixels', load: same },
  { source: 'webp', targets: ['webp'], extension: true, costing, options: sameOptions, engine: 'pixels', load: same },
])

/** How each format is read, for conversions beyond the contract's. */
// biome-ignore format: a table
export const readers = {
  avif: { options: animatedOptions, engine: 'pixels', load: raster },
  bmp: { options: imageOptions, engine: 'pixels', load: bmp },
  dds: { options: imageOptions, engine: 'pixels', load: magick },
  exr: { options: imageOptions, engine: 'ffmpeg', load: exr },
  gif: { options: animatedOptions, engine: 'pixels', load: raster },
  hdr: { options: imageOptions, engine: 'pixels', load: hdr },
  heic: { options: imageOptions, engine: 'pixels', load: heic },
  ico: { options: iconOptions, engine: 'pixels', load: icon },
  jp2: { options: imageOptions, engine: 'pixels', load: magick },
  jpg: { options: imageOptions, engine: 'pixels', load: raster },
  jxl: { options: imageOptions, engine: 'pixels', load: magick },
  pict: { options: imageOptions, engine: 'pixels', load: pict },
  png: { options: animatedOptions, engine: 'pixels', load: raster },
  psd: { options: imageOptions, engine: 'pixels', load: psd },
  qoi: { options: imageOptions, engine: 'pixels', load: magick },
  raw: { options: imageOptions, engine: 'raw', load: raw },
  svg: { options: drawingOptions, engine: 'pixels', load: svg },
  tga: { options: imageOptions, engine: 'pixels', load: magick },
  tiff: { options: pagedOptions, engine: 'pixels', load: tiff },
  webp: { options: animatedOptions, engine: 'pixels', load: raster },
} as const
type Source = keyof typeof readers

/** Every picture becomes each of these. */
const written = ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff', 'bmp', 'ico', 'pdf', 'jxl', 'jp2'] as const

/** Flat graphics, which also become drawings; a traced photo is of no use. */
const graphics: readonly FormatKey[] = ['avif', 'bmp', 'gif', 'jpg', 'png', 'psd', 'tiff', 'webp']

/** PDF from these is a document, which several of them can be. */
const documented: readonly FormatKey[] = ['jpg', 'png']

/** Readers × writers, without what the contract has and what a format is already. */
const further = (Object.keys(readers) as Source[]).flatMap(source => {
  const known = rows.filter(row => row.source === source).map(({ target }) => target)
  const targets = [...written, ...(graphics.includes(source) ? (['svg'] as const) : [])].filter(
    target =>
      target !== source && !known.includes(target) && !(target === 'pdf' && documented.includes(source)),
  )
  const likely = known.length === 0 && { likely: 'png' as const }
  return defineConverters('images', [
    { source, targets, ...likely, extension: true, costing, ...readers[source] },
  ])
})

export default [...rows, ...smaller, ...further]
