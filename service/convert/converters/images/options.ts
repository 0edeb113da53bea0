import { choice, flag, group, integer, type OptionsOf, only, text } from '../../catalogue/options.ts'
import type { Detail } from '../../engines/pictures/vectorizer/trace.ts'
import { pages } from '../page-options.ts'
import { colourOf, editOptions } from './edit-options.ts'
import { resize } from './resize-options.ts'

/** @param isLossy whether it can be lossy, too */
const smartCompression = (isLossy: boolean) =>
  group(
    'Smart compression',
    {
      enabled: flag('Make the file as small as it can be', {
        default: false,
        ...(isLossy && { 'x-implied': { mode: true } }),
      }),
      ...only({
        mode:
          isLossy &&
          choice(
            'How',
            { lossy: 'Lossy, much smaller', lossless: 'Lossless, every pixel kept' },
            {
              description:
                'Takes longer. Lossy is never larger than without. Lossless WebP and AVIF of photographs are several times larger; lossless JPEG loses nothing beyond its quality setting.',
              default: 'lossy',
              'x-when': { enabled: [true] },
            },
          ),
      }),
    },
    { 'x-order': 3 },
  )

const words = (title: string) => text(title, { maxLength: 500 })

const metadata = {
  strip: flag('Remove camera data, location and other metadata', {
    default: true,
    'x-replaced': true,
    'x-requires': { metadata: true },
  }),
  keep: choice(
    'Camera data',
    { all: 'Keep all', 'no-place': 'Keep all but the place', none: 'Remove' },
    {
      description: 'Date, camera, place and other metadata of a photo.',
      default: 'none',
      'x-implied': { strip: { true: 'none', false: 'all' } },
      'x-usual': 'no-place',
      'x-order': 2,
      'x-requires': { metadata: true },
    },
  ),
}

const described = {
  ...metadata,
  title: words('Title'),
  author: words('Author'),
  copyright: words('Copyright'),
  date: text('Date', {
    description: 'When it was taken.',
    pattern: '^[0-9]{4}-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9])?)?$',
    maxLength: 19,
    'x-example': '2026-05-03 14:30:00',
  }),
}

const hdr = choice(
  'HDR',
  { keep: 'Keep the brighter rendition', sdr: 'Leave it out' },
  { description: 'Of photos that phones take for HDR screens.', default: 'keep' },
)

const motion = choice(
  'Photo with a film',
  { still: 'The picture', film: 'The film' },
  { default: 'still', 'x-order': 1, 'x-requires': { motionVideo: true } },
)

export const quality = (usual: number) =>
  integer('Quality', {
    description: 'From 1, smallest, to 100, best. Smart compression may lower it.',
    default: usual,
    minimum: 1,
    maximum: 100,
    'x-control': 'slider',
    'x-affects-size': true,
    'x-order': 1,
  })

const inWords = (small: number, balanced: number, best: number) => ({
  ...quality(balanced),
  'x-words': { small, balanced, best },
})

/** Quality of a JPEG if none is chosen. */
export const USUAL_QUALITY = 90

/** Quality of formats that can keep every pixel, and hold nothing else here. */
const exact = { ...quality(85), description: 'From 1, smallest, to 100, which keeps every pixel.' }

/** Quality options of each lossy format. */
const qualities = new Map<string, ReturnType<typeof quality>>([
  ['avif', inWords(40, 60, 80)],
  ['heic', inWords(40, 60, 80)],
  ['jp2', exact],
  ['jxl', exact],
  ['jpg', inWords(65, USUAL_QUALITY, 97)],
  ['webp', inWords(55, 82, 95)],
])

/** The formats whose size follows from their quality, and PNG, whose colours can be reduced. */
const sized = new Set(['avif', 'jpg', 'png', 'webp'])

const compression = choice(
  'Compression',
  {
    deflate: 'Deflate, without loss',
    lzw: 'LZW, without loss',
    packbits: 'PackBits, without loss',
    jpeg: 'JPEG, smaller',
    fax: 'Fax, black and white',
    none: 'None',
  },
  { default: 'deflate', 'x-order': 1 },
)

const bitDepth = choice(
  'Bits per channel',
  { source: 'As in the picture', '8': '8', '16': '16' },
  { default: 'source', 'x-order': 1 },
)

const colour = choice(
  'Colour space',
  { srgb: 'sRGB, for every screen', keep: "The picture's own", p3: 'Display P3' },
  {
    description: 'A wider one keeps colours that sRGB lacks, on screens and in programs that know it.',
    default: 'srgb',
  },
)

/** Formats that hold a colour profile, and those that hold samples of 16 bits. */
const profiled = new Set(['avif', 'jpg', 'png', 'tiff', 'webp'])
const highBitDepth = new Set(['png', 'tiff'])

export const targetSize = integer('Maximum size', {
  description: 'With less quality or fewer pixels if needed.',
  minimum: 1,
  maximum: 1_000_000,
  'x-unit': 'KB',
  'x-presets': [100, 200, 500, 1000],
  'x-order': 1,
})

const detail = choice<Detail>(
  'Detail',
  { coarse: 'Large shapes only', balanced: 'Balanced', fine: 'Small shapes too' },
  { default: 'balanced', 'x-order': 1 },
)

const colours = integer('Most colours', {
  description: 'How many colours the drawing may have; by default as many as the detail tells apart.',
  minimum: 2,
  maximum: 64,
  'x-order': 1,
})

const background = colourOf('Background', {
  description: 'Colour under transparent parts, as #rrggbb or #rgb.',
  'x-requires': { alpha: true },
})

/** Formats in which transparent parts may be covered, if a colour is given. */
const holdsAlpha = new Set(['avif', 'gif', 'png', 'tiff', 'webp'])
const { default: _none, ...ground } = background

const frame = integer('Frame', {
  description: 'Which frame of an animation becomes the picture; the first is 1.',
  default: 1,
  minimum: 1,
  maximum: 100_000,
  'x-order': 1,
  'x-requires': { frames: 2 },
  'x-per-file': true,
})

const density = integer('Resolution', {
  description: 'Pixels per inch a drawing is rendered with; 96 is its own size on a screen.',
  default: 96,
  minimum: 1,
  maximum: 2400,
  'x-unit': 'dpi',
  'x-order': 1,
})

/** On paper, the resolution of a screen is visible. */
const printDensity = { ...density, default: 300 }

const pageDensity = integer('Resolution', {
  description: "Pixels per inch on the page. By default the picture's own, or 96.",
  minimum: 1,
  maximum: 2400,
  'x-unit': 'dpi',
})

/** A number from 1 to 256, the largest edge that an icon's directory can state. */
const ICON_EDGE = '([1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-6])'

const icon = group('Icon', {
  sizes: text('Sizes', {
    description: 'Edges in pixels, from 1 to 256. Sizes larger than the picture are left out.',
    default: '16,24,32,48,64,128,256',
    pattern: `^${ICON_EDGE}(, ?${ICON_EDGE}){0,19}$`,
    maxLength: 80,
    'x-example': '16,32,48',
    'x-order': 1,
  }),
  website: flag('All icons of a website', {
    description: 'A favicon, icons for home screens and the manifest that names them.',
    default: false,
  }),
})

const entries = choice(
  'Sizes',
  { largest: 'Only the largest', all: 'All, each a picture of its own' },
  { default: 'largest', 'x-order': 1 },
)

/** Whether a format holds animations: of others, a frame must be selected. */
export const supportsFrames = (target: string): target is 'apng' | 'avif' | 'gif' | 'webp' =>
  ['apng', 'avif', 'gif', 'webp'].includes(target)

/** Whether a format holds a picture in several sizes. */
export const isIcon = (target: string): boolean => target === 'ico' || target === 'icns'

/** Formats that hold a gain map. */
export const HDR_FORMATS: readonly string[] = ['avif', 'jpg', 'jxl']

/** Formats that hold pixels alone, and those of which there is one size only. */
const withoutOptions = new Set(['exr', 'hdr', 'icns', 'qoi', 'svg', 'tga'])
const uncompressed = new Set([...withoutOptions, 'bmp', 'heic', 'ico', 'jp2', 'jxl'])

/** Formats that hold no metadata of pictures. */
const withoutMetadata = new Set(['bmp', 'gif', 'ico', 'pdf'])

const metadataOf = (target: string) =>
  group('Metadata', (withoutMetadata.has(target) ? metadata : described) as typeof described)

/** Properties of a source that some targets cannot hold. */
export interface SourceTraits {
  /** May be animated. */
  frames?: boolean
  /** May have several pages. */
  pages?: boolean
  /** Is a vector graphic without a size in pixels. */
  vectorGraphic?: boolean
  /** Contains the same picture in several sizes. */
  sizes?: boolean
  /** May have a brighter rendition for HDR screens. */
  hdr?: boolean
  /** May be a photo of a phone, with a video that goes with it. */
  phone?: boolean
  /** Already has the target's format. */
  same?: boolean
  /** Is an animated vector graphic, made for a purpose of its own, and is not edited. */
  unedited?: boolean
}

const noEdits = {} as typeof editOptions

/** Options of an image conversion, by the traits of its source and by its target. */
export const imageOptionsOf = (traits: SourceTraits) => (target: string) => ({
  resize: resize((traits.vectorGraphic || traits.unedited) ?? false),
  ...only(traits.unedited ? noEdits : editOptions),
  ...only({
    quality: qualities.get(target),
    targetSize: sized.has(target) && targetSize,
    smartCompression: !uncompressed.has(target) && smartCompression(target !== 'tiff'),
    compression: target === 'tiff' && compression,
    bitDepth: highBitDepth.has(target) && bitDepth,
    colour: profiled.has(target) && colour,
    metadata: !withoutOptions.has(target) && metadataOf(target),
    hdr: HDR_FORMATS.includes(target) && traits.hdr && hdr,
    motion: ['gif', 'webp'].includes(target) && traits.phone && motion,
    background: (target === 'jpg'
      ? !traits.same && background
      : holdsAlpha.has(target) && ground) as typeof background,
    frame: traits.frames && !supportsFrames(target) && frame,
    pages: traits.pages && pages,
    // Icons of a vector graphic have sizes of their own.
    density: traits.vectorGraphic
      ? !isIcon(target) && (target === 'pdf' ? printDensity : density)
      : target === 'pdf' && pageDensity,
    entries: traits.sizes && entries,
    icon: target === 'ico' && icon,
    detail: target === 'svg' && detail,
    colours: target === 'svg' && colours,
  }),
})

/** Options every image conversion has. */
export const imageOptions = imageOptionsOf({})

/** The options of a work: those of every image, and those of some sources and targets. */
export type ImageOptions = OptionsOf<ReturnType<typeof imageOptions>>
