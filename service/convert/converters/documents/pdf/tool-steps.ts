/** What is done to a PDF besides choosing its pages: each step with its options, and the order in which they run. */
import type { PDFDocument, PDFPage } from '@cantoo/pdf-lib'
import { message } from '../../../../shared/messages/message.ts'
import {
  choice,
  flag,
  group,
  integer,
  number,
  type OptionProperties,
  type OptionsOf,
  text,
} from '../../../catalogue/options.ts'
import type { Task } from '../../../catalogue/task.ts'
import type { Layout, Stamp, StampPlace } from '../../../engines/pdf/edit/index.ts'
import { areas, pages } from '../../page-options.ts'

/** An open document, which steps change or replace. */
export interface Opened {
  document: PDFDocument
  /** Its pages in a list that counts as the file does. */
  chosen(list: string): PDFPage[]
  task: Task
}

interface Step<Options> {
  isWanted(options: Options): boolean
  run(opened: Opened, options: Options): Promise<void>
}

const step = <Properties extends OptionProperties>(
  options: Properties,
  isWanted: Step<OptionsOf<Properties>>['isWanted'],
  run: Step<OptionsOf<Properties>>['run'],
) => ({ options, isWanted, run })

const engine = () => import('../../../engines/pdf/edit/index.ts')

/** Pages that something else is done to, which comes after what is done to all. */
const { 'x-order': _, ...somePages } = pages
export const pagesTo = (title: string) => ({
  ...somePages,
  title,
  description:
    'Counted as in the file, such as 1-3,7,last,odd,even or 5- (from page 5 on). By default all of them.',
})

const ANGLES = { none: 0, right: 90, half: 180, left: 270 }
/** Points. */
const NUMBER_SIZE = 10
const MM = { minimum: 0, maximum: 5000, 'x-unit': 'mm' }
const KEPT = 'Of what is kept, in place of the margin on the other side.'
const PLACEHOLDERS = '{page} in it becomes the number of the page, {pages} how many there are.'

const redact = step(
  {
    redact: group('Redact', {
      words: text('Words', {
        description:
          'Words and phrases to black out, separated by commas, whatever their case. Nothing of them stays in the file.',
        maxLength: 2000,
        'x-example': 'Jane Doe, 555-0199',
        'x-per-file': true,
      }),
      pattern: text('Pattern', {
        description: 'A regular expression for what is to be blacked out, such as \\d{3}-\\d{2}-\\d{4}.',
        maxLength: 500,
        'x-example': '\\d{3}-\\d{2}-\\d{4}',
      }),
      areas: text('Areas', {
        description:
          'Pages, and in millimetres of the page from its left and top: left, top, width, height. Several apart by semicolons.',
        pattern: `^${areas}(; ?${areas})*$`,
        maxLength: 2000,
        'x-example': '1:20,30,100,15; 2-3:0,0,210,20',
        'x-per-file': true,
      }),
    }),
  },
  ({ redact: { words, pattern, areas: places } }) => Boolean(words?.trim() || pattern || places),
  async (opened, options) => (await import('./redact.ts')).redact(opened, options.redact),
)

export const FLATTENING = {
  description: 'They become part of the page, and can no longer be changed.',
  default: false,
}

const flatten = step(
  { flatten: flag('Flatten form fields and comments', FLATTENING) },
  options => options.flatten,
  async opened => {
    opened.document = await (await engine()).flattened(opened.document)
  },
)

const property = (title: string) => text(title, { maxLength: 1000, 'x-per-file': true })

const properties = step(
  {
    properties: group('Properties', {
      title: property('Title'),
      author: property('Author'),
      subject: property('Subject'),
      keywords: property('Keywords'),
      remove: flag('Remove the properties that the file has', { default: false }),
      attachments: flag('Remove attached files', { default: false }),
    }),
  },
  options => Object.values(options.properties).some(Boolean),
  async ({ document }, options) => (await engine()).setProperties(document, options.properties),
)

const crop = step(
  {
    crop: group('Crop', {
      left: number('Left', { default: 0, ...MM }),
      top: number('Top', { default: 0, ...MM }),
      right: number('Right', { default: 0, ...MM }),
      bottom: number('Bottom', { default: 0, ...MM }),
      width: number('Width', { description: KEPT, ...MM, minimum: 1 }),
      height: number('Height', { description: KEPT, ...MM, minimum: 1 }),
      pages: pagesTo('Pages to crop'),
    }),
  },
  ({ crop: { left, top, right, bottom, width, height } }) =>
    left + top + right + bottom + (width ?? 0) + (height ?? 0) > 0,
  async ({ chosen, task }, options) => {
    const { cropPages } = await engine()
    if (!cropPages(chosen(options.crop.pages), options.crop)) task.warn(message('pdf.crop_too_much'))
  },
)

const rotate = step(
  {
    rotate: choice(
      'Rotate',
      { none: 'Keep', right: 'Clockwise', half: 'Upside down', left: 'Anticlockwise' },
      { default: 'none', 'x-order': 4 },
    ),
    rotatePages: { ...pagesTo('Pages to rotate'), 'x-when': { rotate: ['right', 'half', 'left'] } },
  },
  options => options.rotate !== 'none',
  async ({ chosen }, options) =>
    (await engine()).rotatePages(chosen(options.rotatePages), ANGLES[options.rotate]),
)

/** Writes a text over the pages in a list. */
async function writeOver({ document, chosen, task }: Opened, list: string, look: Stamp): Promise<void> {
  const { stampPages } = await engine()
  if (!(await stampPages(document, chosen(list), look))) task.warn(message('pdf.stamp_letters_left_out'))
}

const pageNumbers = step(
  {
    pageNumbers: choice(
      'Page numbers',
      { none: 'None', left: 'On the left', centre: 'In the middle', right: 'On the right' },
      { description: 'Written at the foot of each page, from 1 on.', default: 'none' },
    ),
  },
  options => options.pageNumbers !== 'none',
  async (opened, { pageNumbers: side }) =>
    side === 'none'
      ? undefined
      : writeOver(opened, 'all', { text: '{page}', place: `bottom-${side}`, size: NUMBER_SIZE }),
)

const headers = step(
  {
    headers: group('Header and footer', {
      header: text('Header', { description: PLACEHOLDERS, maxLength: 200 }),
      footer: text('Footer', { description: PLACEHOLDERS, maxLength: 200, 'x-example': '{page} of {pages}' }),
      side: choice(
        'Place',
        { left: 'On the left', centre: 'In the middle', right: 'On the right' },
        { default: 'centre' },
      ),
      size: integer('Size', { default: 10, minimum: 4, maximum: 72, 'x-unit': 'pt' }),
      pages: pagesTo('Pages with header and footer'),
    }),
  },
  ({ headers: { header, footer } }) => Boolean(header || footer),
  async (opened, { headers: { header, footer, side, size, pages: list } }) => {
    if (header) await writeOver(opened, list, { text: header, place: `top-${side}`, size })
    if (footer) await writeOver(opened, list, { text: footer, place: `bottom-${side}`, size })
  },
)

export const PLACES: Record<StampPlace, string> = {
  diagonal: 'From corner to corner',
  centre: 'In the middle',
  'top-left': 'Top left',
  'top-centre': 'Top',
  'top-right': 'Top right',
  'bottom-left': 'Bottom left',
  'bottom-centre': 'Bottom',
  'bottom-right': 'Bottom right',
}

const stamp = step(
  {
    stamp: group('Stamp', {
      text: text('Text', {
        description: 'Written over the pages, such as DRAFT. Left empty, nothing is.',
        maxLength: 200,
      }),
      place: choice('Place', PLACES, { default: 'diagonal' }),
      size: integer('Size', {
        description: 'Smaller where the page has less room.',
        default: 64,
        minimum: 4,
        maximum: 400,
        'x-unit': 'pt',
      }),
      opacity: integer('Opacity', {
        default: 25,
        minimum: 1,
        maximum: 100,
        'x-unit': '%',
        'x-control': 'slider',
      }),
      pages: pagesTo('Pages to stamp'),
    }),
  },
  options => Boolean(options.stamp.text),
  async (opened, { stamp: { text: given = '', pages: list, opacity, ...look } }) =>
    writeOver(opened, list, { ...look, text: given, opacity: opacity / 100 }),
)

const layout = step(
  {
    layout: choice<Layout | 'one'>(
      'Pages on a sheet',
      { one: 'One', '2': '2', '4': '4', '6': '6', '9': '9', '16': '16', booklet: 'Booklet, to be folded' },
      {
        description: 'A booklet is printed on both sides, turned over the short edge. Links go.',
        default: 'one',
      },
    ),
  },
  options => options.layout !== 'one',
  async (opened, options) => {
    if (options.layout !== 'one')
      opened.document = await (await engine()).impose(opened.document, options.layout)
  },
)

export const stepOptions = {
  ...rotate.options,
  ...crop.options,
  ...layout.options,
  ...redact.options,
  ...pageNumbers.options,
  ...headers.options,
  ...stamp.options,
  ...flatten.options,
  ...properties.options,
}

type StepOptions = OptionsOf<typeof stepOptions>

/** Of the whole document, before its pages are chosen. */
export const fileSteps: readonly Step<StepOptions>[] = [redact, flatten, properties]

/** Of each result. */
export const resultSteps: readonly Step<StepOptions>[] = [crop, rotate, pageNumbers, headers, stamp, layout]

/** Runs the steps that are wanted, in their order. Returns the document that comes of them. */
export async function runSteps(
  steps: readonly Step<StepOptions>[],
  opened: Opened,
  options: StepOptions,
): Promise<PDFDocument> {
  for (const each of steps) if (each.isWanted(options)) await each.run(opened, options)
  return opened.document
}
