import { choice, flag, group, integer, type Needs, type OptionsOf, text } from '../../catalogue/options.ts'

/** A place in a picture, by the words of ImageMagick and sharp. */
const placeIn = (title: string) =>
  choice(
    title,
    {
      center: 'In the middle',
      north: 'Top',
      northeast: 'Top right',
      east: 'Right',
      southeast: 'Bottom right',
      south: 'Bottom',
      southwest: 'Bottom left',
      west: 'Left',
      northwest: 'Top left',
    },
    { default: 'center' },
  )

/** A colour as #rrggbb or #rgb. */
export const colourOf = (title: string, extra: { description?: string; 'x-requires'?: Needs } = {}) =>
  text(title, {
    default: '#ffffff',
    pattern: '^#([0-9a-fA-F]{3}){1,2}$',
    maxLength: 7,
    'x-control': 'colour',
    'x-example': '#1a2b3c',
    ...extra,
  })

/** Widths and heights, to which a crop may be held. */
const PROPORTIONS = {
  '1:1': '1:1',
  '4:3': '4:3',
  '3:2': '3:2',
  '16:9': '16:9',
  '3:4': '3:4',
  '2:3': '2:3',
  '9:16': '9:16',
} as const

const EDGE = { maximum: 100_000, 'x-unit': 'px' } as const

const percentage = (title: string) =>
  integer(title, {
    description: '100 leaves it as it is.',
    default: 100,
    minimum: 0,
    maximum: 300,
    'x-unit': '%',
  })

/** Changes of a picture, the same for every pair. */
export const editOptions = {
  crop: group(
    'Crop',
    {
      left: integer('Left', { minimum: 0, ...EDGE }),
      top: integer('Top', { minimum: 0, ...EDGE }),
      width: integer('Width', { minimum: 1, ...EDGE }),
      height: integer('Height', { minimum: 1, ...EDGE }),
      aspect: choice('Proportions', { free: 'Any', ...PROPORTIONS }, { default: 'free' }),
      gravity: { ...placeIn('Part to keep'), 'x-when': { aspect: Object.keys(PROPORTIONS) } },
    },
    {
      description: 'In pixels of the upright picture, before anything else changes it.',
      'x-control': 'crop',
      'x-order': 3,
    },
  ),
  rotate: choice(
    'Rotate',
    { '0': 'Not at all', '90': '90° clockwise', '180': '180°', '270': '90° counterclockwise' },
    { default: '0', 'x-control': 'turn', 'x-order': 3 },
  ),
  flip: choice(
    'Mirror',
    { none: 'Not at all', horizontal: 'Left to right', vertical: 'Top to bottom' },
    { default: 'none', 'x-control': 'mirror', 'x-order': 3 },
  ),
  trim: flag('Trim even edges', {
    description: 'Cuts off edges that look like the upper left corner.',
    default: false,
  }),
  adjust: group('Light and colour', {
    brightness: percentage('Brightness'),
    contrast: percentage('Contrast'),
    saturation: percentage('Saturation'),
  }),
  tone: choice('Colours', { all: 'All', grey: 'Grey', sepia: 'Sepia' }, { default: 'all' }),
  sharpen: flag('Sharpen', { default: false }),
  watermark: group('Watermark', {
    text: text('Text', {
      description: 'Written over the picture. Left empty, nothing is.',
      maxLength: 100,
    }),
    picture: text('Picture', {
      description:
        'A logo in place of a text: a PNG, JPEG, WebP or GIF of at most 256 KB, in the API as a data: address.',
      pattern: '^data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$',
      maxLength: 350_000,
      'x-control': 'picture',
    }),
    position: placeIn('Place'),
    size: integer('Size', {
      description: 'Width of the text or logo in percent of the picture.',
      default: 40,
      minimum: 1,
      maximum: 100,
      'x-unit': '%',
    }),
    opacity: integer('Opacity', {
      default: 50,
      minimum: 1,
      maximum: 100,
      'x-unit': '%',
      'x-control': 'slider',
    }),
    repeat: flag('Repeat over the whole picture', { default: false }),
  }),
  border: group('Border', {
    width: integer('Width', { default: 0, minimum: 0, maximum: 10_000, 'x-unit': 'px' }),
    colour: colourOf('Colour'),
  }),
}

export type Edits = OptionsOf<typeof editOptions>
