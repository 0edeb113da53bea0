/** What comments look like that come without an appearance (ISO 32000-2, 12.5.6). */

import { layoutMultilineText, type PDFDict, PDFName, type PDFRef, TextAlignment } from '@cantoo/pdf-lib'
import { ownValue } from '../../common/own-value.ts'
import {
  arrayEntry,
  dictEntry,
  entry,
  items,
  name,
  nameEntry,
  numberEntry,
  numbersEntry,
  numbersOf,
  textOf,
} from '../pdfa/objects.ts'
import type { FieldFonts } from './field-fonts.ts'
import {
  type BoundingBox,
  circle,
  colour,
  corners,
  ending,
  FILL,
  mix,
  moved,
  type Point,
  path,
  pointsOf,
  rectangle,
  zigzag,
} from './shapes.ts'

/** Most characters of a comment. */
const LONGEST = 20_000
/** Marks of words. */
const MARKS = ['Highlight', 'Underline', 'StrikeOut', 'Squiggly', 'Redact'] as const
const TEXT_SIZE = 12
const LINE_HEIGHT = 1.2
const [YELLOW, RED, BLACK] = [[1, 0.85, 0.2], [0.8, 0, 0], [0]]

/** What is to be drawn, in the coordinates of the page. */
export interface Appearance {
  /** Operators after those of colour and line. */
  content: string
  /** Places that have to be within the appearance. */
  points?: readonly Point[]
  stroke?: readonly number[]
  fill?: readonly number[]
  width?: number
  blend?: string
  fonts?: Record<string, PDFRef>
}

export class Comment {
  readonly #dict: PDFDict
  readonly #fonts: FieldFonts
  readonly #rect: BoundingBox

  constructor(dict: PDFDict, fonts: FieldFonts) {
    this.#dict = dict
    this.#fonts = fonts
    this.#rect = rectangle(numbersEntry(dict, 'Rect'))
  }

  /** What draws each kind. */
  readonly #appearances: Record<string, () => Promise<Appearance | undefined> | Appearance | undefined> = {
    // An answer is shown with what it answers.
    Text: () =>
      this.#dict.has(name('IRT')) && nameEntry(this.#dict, 'RT') !== 'Group' ? { content: '' } : this.#icon(),
    FileAttachment: () => this.#clip(),
    FreeText: () => this.#freeText(),
    Square: () => this.#area(false),
    Circle: () => this.#area(true),
    Line: () => this.#line(),
    Polygon: () => this.#lines(true),
    PolyLine: () => this.#lines(false),
    Ink: () => this.#ink(),
    ...Object.fromEntries(MARKS.map(mark => [mark, () => this.#marks(mark)])),
    Stamp: () => this.#stamp(),
  }

  /** @returns undefined for what cannot be drawn */
  async appearance(kind: string): Promise<Appearance | undefined> {
    return ownValue(this.#appearances, kind)?.()
  }

  /** The colour of a key; of an empty one nothing is drawn. */
  #colour(key: string, otherwise: readonly number[] = []): readonly number[] {
    const parts = numbersEntry(this.#dict, key)
    return parts ? parts.map(part => Math.min(1, Math.max(0, part))) : otherwise
  }

  /** Width of the line in points, by default 1. */
  get #width(): number {
    const style = dictEntry(this.#dict, 'BS')
    const width = style ? numberEntry(style, 'W') : numbersEntry(this.#dict, 'Border')?.[2]
    return Math.max(0, Math.min(width ?? 1, 100))
  }

  /** The place of the annotation without the space around its appearance. */
  get #inner(): BoundingBox {
    const [left, bottom, right, top] = this.#rect
    const [a = 0, b = 0, c = 0, d = 0] = numbersEntry(this.#dict, 'RD') ?? []
    const inner = [left + a, bottom + b, right - c, top - d] as const
    return inner[2] > inner[0] && inner[3] > inner[1] ? inner : this.#rect
  }

  #outlined(content: string, points: readonly Point[] = []): Appearance {
    const [stroke, fill, width] = [this.#colour('C', BLACK), this.#colour('IC'), this.#width]
    const [filled, both] = fill.length > 0 ? ['f', 'B'] : ['n', 'S']
    const paint = stroke.length > 0 && width > 0 ? both : filled
    return { content: `${content} ${paint}`, points, stroke, fill, width }
  }

  #area(isCircle: boolean): Appearance {
    const [left, bottom, right, top] = this.#inner
    const half = Math.min(this.#width / 2, (right - left) / 3, (top - bottom) / 3)
    const box = [left + half, bottom + half, right - half, top - half] as const
    return this.#outlined(isCircle ? circle(box) : path(corners(box), true))
  }

  #ending(at: 0 | 1, place: Point, from: Point): string {
    const both = arrayEntry(this.#dict, 'LE')
    const one = both ? both.lookup(at) : at === 1 && entry(this.#dict, 'LE')
    const shape = one instanceof PDFName ? one.decodeText() : 'None'
    return ending(shape, place, from, this.#width, this.#colour('IC').length > 0)
  }

  #lines(isClosed: boolean, points = pointsOf(numbersEntry(this.#dict, 'Vertices'))): Appearance | undefined {
    if (points.length < 2) return undefined
    if (isClosed) return this.#outlined(path(points, true), points)
    const ends = `${this.#ending(0, points[0]!, points[1]!)} ${this.#ending(1, points.at(-1)!, points.at(-2)!)}`
    const appearance = this.#outlined('', points)
    return { ...appearance, content: `${path(points)} S ${ends}` }
  }

  async #line(): Promise<Appearance | undefined> {
    const [start, end] = pointsOf(numbersEntry(this.#dict, 'L'))
    if (!start || !end) return undefined
    const [length, extension, offset] = ['LL', 'LLE', 'LLO'].map(key => numberEntry(this.#dict, key) ?? 0)
    const across = (by: number, point: Point) => moved(point, start, end, by)
    const along = [across(length! + offset!, start), across(length! + offset!, end)]
    const appearance = this.#lines(false, along)!
    const tip = length! + Math.sign(length!) * extension! + offset!
    const leaders = length ? [start, end].map(at => [across(offset!, at), across(tip, at)]) : []
    const text = entry(this.#dict, 'Cap')?.toString() === 'true' ? textOf(entry(this.#dict, 'Contents')) : ''
    const [x, y] = mix(along[0]!, along[1]!, 0.5)
    const box = [x - 100, y, x + 100, y + 14] as const
    const caption = text ? await this.#text(text, box, { isOneLine: true }) : undefined
    return {
      ...appearance,
      ...caption,
      content: `${leaders.map(each => `${path(each)} S`).join(' ')} ${appearance.content} ${caption?.content ?? ''}`,
      points: [...appearance.points!, ...leaders.flat(), ...(caption ? corners(box) : [])],
    }
  }

  #ink(): Appearance | undefined {
    const strokes = [...items(this.#dict.context, arrayEntry(this.#dict, 'InkList'))].map(each =>
      pointsOf(numbersOf(each)),
    )
    const appearance = this.#outlined('', strokes.flat())
    const content = strokes
      .filter(points => points.length > 0)
      .map(points => path(points.length > 1 ? points : [points[0]!, points[0]!]))
      .join(' ')
    return content ? { ...appearance, content: `1 J 1 j ${content} S` } : undefined
  }

  /** Marks of words, each with four corners: upper left, upper right, lower left, lower right. */
  #marks(kind: (typeof MARKS)[number]): Appearance {
    const [left, bottom, right, top] = this.#rect
    const given = pointsOf(numbersEntry(this.#dict, 'QuadPoints'))
    const whole: Point[] = [
      [left, top],
      [right, top],
      [left, bottom],
      [right, bottom],
    ]
    const points = given.length >= 4 ? given : whole
    // Some viewers refuse a mark without them.
    if (points === whole) this.#dict.set(name('QuadPoints'), this.#dict.context.obj(whole.flat()))
    const content: string[] = []
    for (let at = 0; at + 3 < points.length; at += 4) {
      const [a, b, c, d] = points.slice(at, at + 4) as [Point, Point, Point, Point]
      const between = (share: number) => [mix(c, a, share), mix(d, b, share)]
      if (kind === 'Highlight') content.push(`${path([a, b, d, c], true)} f`)
      else if (kind === 'Redact') content.push(`${path([a, b, d, c], true)} S`)
      else if (kind === 'Squiggly') content.push(`${path(zigzag(c, d))} S`)
      else content.push(`${path(between(kind === 'Underline' ? 0.08 : 0.45))} S`)
    }
    const isHighlight = kind === 'Highlight'
    const main = this.#colour('C', isHighlight ? YELLOW : kind === 'Redact' ? RED : BLACK)
    return {
      content: main.length > 0 ? content.join(' ') : '',
      points,
      ...(isHighlight ? { fill: main, blend: 'Multiply' } : { stroke: main }),
    }
  }

  /** A sheet with lines on it. */
  #icon(): Appearance {
    const [left, , , top] = this.#rect
    const at = (x: number, y: number): Point => [left + x, top - y]
    const sheet = path([at(1, 2), at(19, 2), at(19, 18), at(1, 18)], true)
    const lines = [6, 10, 14].map(y => path([at(4, y), at(16, y)])).join(' ')
    return {
      content: `${sheet} B ${lines} S`,
      points: [at(0, 0), at(20, 20)],
      stroke: BLACK,
      fill: this.#colour('C', YELLOW),
    }
  }

  #clip(): Appearance {
    const [left, , , top] = this.#rect
    const at = (x: number, y: number): Point => [left + x, top - y]
    const wire = path([at(9, 6), at(9, 14), at(6, 14), at(6, 3), at(12, 3), at(12, 18), at(3, 18), at(3, 6)])
    return {
      content: `1 J 1 j ${wire} S`,
      points: [at(0, 0), at(15, 20)],
      stroke: this.#colour('C', BLACK),
      width: 1.5,
    }
  }

  /** The words of a stamp in a frame: its name, such as `NotApproved`, is what it says. */
  async #stamp(): Promise<Appearance> {
    const title = (nameEntry(this.#dict, 'Name') ?? 'Draft')
      .replace(/^SB/, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    const [left, bottom, right, top] = this.#rect
    const edge = Math.min(2, (right - left) / 8, (top - bottom) / 8)
    const frame = [left + edge, bottom + edge, right - edge, top - edge] as const
    const main = this.#colour('C', RED)
    const words = await this.#text(title.toUpperCase().slice(0, 100), frame, {
      size: Number.POSITIVE_INFINITY,
      isOneLine: true,
      fill: main,
    })
    return {
      ...words,
      content: `${path(corners(frame), true)} S ${words.content}`,
      stroke: main,
      width: edge,
    }
  }

  async #freeText(): Promise<Appearance> {
    const style = textOf(entry(this.#dict, 'DA'))
    const css = textOf(entry(this.#dict, 'DS'))
    const plain =
      textOf(entry(this.#dict, 'Contents')) || textOf(entry(this.#dict, 'RC')).replace(/<[^>]*>/g, '')
    const size = Number(/([\d.]+)\s+Tf/.exec(style)?.[1] || /([\d.]+)pt/.exec(css)?.[1]) || TEXT_SIZE
    const hex = /color:\s*#([\da-f]{6})/i.exec(css)?.[1]
    const given = [...style.matchAll(/((?:[\d.]+\s+){1,4})(?:g|rg|k)\b/g)].at(-1)?.[1]
    const fill = given
      ? given.trim().split(/\s+/).map(Number)
      : hex
        ? [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
        : BLACK
    const box = this.#inner
    const hasBorder = this.#dict.has(name('BS')) || this.#dict.has(name('Border'))
    const width = hasBorder ? this.#width : 0
    const back = this.#colour('C')
    const area = path(corners(box), true)
    const words = await this.#text(plain.slice(0, LONGEST), box, { size, fill, edge: width + 2, style })
    const callout = pointsOf(numbersEntry(this.#dict, 'CL'))
    const line = callout.length > 1 ? `${path(callout)} S ${this.#ending(1, callout[0]!, callout[1]!)}` : ''
    const filled = back.length > 0 ? `q ${colour(back, FILL)} ${area} f Q` : ''
    return {
      ...words,
      content: `${filled} ${line} ${width > 0 ? `${area} S` : ''} ${words.content}`,
      points: callout,
      stroke: fill,
      width: Math.max(width, callout.length > 1 ? 1 : 0),
    }
  }

  /** Text in lines of a box from its top, or in the middle as one line that fits it. */
  async #text(
    wanted: string,
    [left, bottom, right, top]: BoundingBox,
    { size = 10, fill = BLACK as readonly number[], edge = 2, isOneLine = false, style = '' } = {},
  ): Promise<Appearance> {
    const { font, text } = await this.#fonts.fitting(wanted.replace(/\r\n?/g, '\n'), style)
    const [width, height] = [Math.max(1, right - left - 2 * edge), top - bottom - 2 * edge]
    const room = Math.min(height * 0.8, (width * 0.95) / Math.max(0.01, font.widthOfTextAtSize(text, 1)))
    const fontSize = isOneLine ? Math.max(1, Math.min(size, room)) : size
    const sides = [TextAlignment.Left, TextAlignment.Center, TextAlignment.Right]
    const alignment = sides[isOneLine ? 1 : (numberEntry(this.#dict, 'Q') ?? 0)] ?? TextAlignment.Left
    const bounds = { x: left + edge, y: bottom + edge, width, height }
    const { lines } = layoutMultilineText(text, { alignment, fontSize, font, bounds })
    const first = isOneLine ? (bottom + top) / 2 - fontSize * 0.35 : top - edge - fontSize * 0.95
    const shown = lines.map(
      ({ encoded, x }, index) => `1 0 0 1 ${x} ${first - index * LINE_HEIGHT * fontSize} Tm ${encoded} Tj`,
    )
    const content = `${colour(fill, FILL)} BT /Text ${fontSize} Tf ${shown.join(' ')} ET`
    return { content, fonts: { Text: font.ref }, fill }
  }
}
