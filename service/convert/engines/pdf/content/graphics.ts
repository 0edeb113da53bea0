import { identity, type Matrix, multiply } from '../../common/matrix.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import type { DrawnContent } from './actual-text.ts'
import { mapped, type View } from './geometry.ts'
import { type PageMarks, readMarks } from './marks.ts'
import type { FilledBox, PdfImage, Rectangle, Ruling } from './types.ts'

/** Types of page objects. */
const PATH = 2
const IMAGE = 3
const FORM = 5

const OBJECT_LIMIT = 100_000
const DEPTH_LIMIT = 12
/** A path with more segments is always part of a figure. */
const SEGMENT_LIMIT = 400
const RULING_LIMIT = 20_000

/** Maximum thickness of a line, and maximum offset between its ends across it, in points. */
const THICKNESS = 3
const SKEW = 0.6
/** Minimum length of a line and minimum size of a box. */
const SHORTEST = 4

export interface Graphics {
  rulings: Ruling[]
  boxes: FilledBox[]
  paths: Rectangle[]
  images: PdfImage[]
  /** Paths in marked content, which may have a replacement text. */
  drawn: DrawnContent[]
}

const WHITE = 0xffffff
const MOVE = 2
const LINE = 0

/** Reads the lines, boxes, paths and pictures of a page. */
export function readGraphics(page: Handle, view: View): Graphics {
  const found: Graphics = { rulings: [], boxes: [], paths: [], images: [], drawn: [] }
  const marks: PageMarks = new Map()
  for (const { object, kind, matrix } of objectsOf(page, view.matrix))
    if (kind === PATH) readPath(object, matrix, found, view, marks)
    else if (kind === IMAGE) readImage(object, matrix, found, view, marks)
  return found
}

/** The objects of a page and of its forms; `matrix` leads from a form to what its page is mapped to, without that of the object. */
export function* objectsOf(
  page: Handle,
  outer: Matrix,
): Generator<{ object: Handle; kind: number; matrix: Matrix }> {
  const library = pdfium()
  let left = OBJECT_LIMIT
  function* visit(object: Handle, matrix: Matrix, depth: number): ReturnType<typeof objectsOf> {
    if (--left < 0) return
    const kind = library.objectType(object)
    yield { object, kind, matrix }
    if (kind !== FORM || depth >= DEPTH_LIMIT) return
    const inner = multiply(matrixOf(object), matrix)
    const count = library.formObjectCount(object)
    for (let index = 0; index < count && left > 0; index++)
      yield* visit(library.formObject(object, index), inner, depth + 1)
  }
  const count = library.objectCount(page)
  for (let index = 0; index < count && left > 0; index++) yield* visit(library.object(page, index), outer, 0)
}

export function matrixOf(object: Handle): Matrix {
  const values = new Float32Array(6)
  return pdfium().objectMatrix(object, values) ? ([...values] as unknown as Matrix) : identity
}

const [x, y] = [new Float32Array(1), new Float32Array(1)]
const [fill, stroke] = [new Int32Array(1), new Int32Array(1)]

/** Point lists of the polylines of a path; null if it has curves or too many segments. */
function outlinesOf(path: Handle, matrix: Matrix): [number, number][][] | null {
  const library = pdfium()
  const count = library.segmentCount(path)
  if (count <= 0 || count > SEGMENT_LIMIT) return null
  const outlines: [number, number][][] = []
  for (let index = 0; index < count; index++) {
    const segment = library.segment(path, index)
    const type = library.segmentType(segment)
    if (type !== MOVE && type !== LINE) return null
    library.segmentPoint(segment, x, y)
    const [a, b, c, d, e, f] = matrix
    const point: [number, number] = [a * x[0]! + c * y[0]! + e, b * x[0]! + d * y[0]! + f]
    let outline = outlines.at(-1)
    if (type === MOVE || !outline) {
      outline = []
      outlines.push(outline)
    }
    outline.push(point)
    if (library.segmentCloses(segment)) outline.push([...outline[0]!])
  }
  return outlines
}

function readPath(path: Handle, view: Matrix, found: Graphics, page: View, marks: PageMarks): void {
  const library = pdfium()
  if (!library.drawMode(path, fill, stroke)) return
  const filled = fill[0] !== 0
  const stroked = stroke[0] !== 0
  // A path that is neither filled nor stroked only clips.
  if (!filled && !stroked) return
  const { hidden, replaced } = readMarks(path, marks)
  if (hidden) return
  const content = library.markedContent(path)
  if (replaced || content >= 0) {
    const bounds = boundsOf(path, view)
    if (bounds && isOn(bounds, page)) found.drawn.push({ ...bounds, content, replaced })
  }
  const matrix = multiply(matrixOf(path), view)
  const outlines = outlinesOf(path, matrix)
  if (!outlines) {
    const bounds = boundsOf(path, view)
    if (bounds && isOn(bounds, page)) found.paths.push(bounds)
    return
  }
  const colour = filled ? (fillColourOf(path) ?? WHITE) : 0
  for (const outline of outlines) readOutline(outline, { filled, stroked, colour }, found, page)
}

const channels = new Uint32Array(4)
const [r, g, b, a] = [0, 1, 2, 3].map(at => channels.subarray(at, at + 1)) as Four<Uint32Array>

/** The colour of filled letters and paths over white paper; undefined for a pattern. */
export function fillColourOf(object: Handle): number | undefined {
  if (!pdfium().fillColour(object, r, g, b, a)) return undefined
  const alpha = channels[3]! / 255
  return channels
    .subarray(0, 3)
    .reduce((all, value) => (all << 8) | Math.round(value * alpha + 255 * (1 - alpha)), 0)
}

type Four<Item> = [Item, Item, Item, Item]

function readOutline(
  outline: [number, number][],
  { filled, stroked, colour }: { filled: boolean; stroked: boolean; colour: number },
  found: Graphics,
  page: View,
): void {
  if (found.rulings.length > RULING_LIMIT) return
  const xs = outline.map(point => point[0])
  const ys = outline.map(point => point[1])
  const box: Rectangle = {
    x: Math.min(...xs),
    y: Math.min(...ys),
    width: Math.max(...xs) - Math.min(...xs),
    height: Math.max(...ys) - Math.min(...ys),
  }
  if (!isOn(box, page) || Math.max(box.width, box.height) < SHORTEST) return
  const add = (x1: number, y1: number, x2: number, y2: number) => found.rulings.push({ x1, y1, x2, y2 })
  const { x: left, y: top, width, height } = box
  if (height <= THICKNESS && width > height)
    return void add(left, top + height / 2, left + width, top + height / 2)
  if (width <= THICKNESS && height > width)
    return void add(left + width / 2, top, left + width / 2, top + height)
  const straight = outline
    .slice(1)
    .every(
      ([toX, toY], index) =>
        Math.abs(toX - outline[index]![0]) < SKEW || Math.abs(toY - outline[index]![1]) < SKEW,
    )
  if (!straight) return void found.paths.push(box)
  if (stroked)
    for (const [index, [toX, toY]] of outline.slice(1).entries()) {
      const [fromX, fromY] = outline[index]!
      if (Math.hypot(toX - fromX, toY - fromY) < SHORTEST) continue
      add(Math.min(fromX, toX), Math.min(fromY, toY), Math.max(fromX, toX), Math.max(fromY, toY))
    }
  if (filled) found.boxes.push({ ...box, colour })
}

const isOn = (box: Rectangle, { width, height }: View) =>
  box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0

const bounds = new Float32Array(4)
const edges = [0, 1, 2, 3].map(at => bounds.subarray(at, at + 1)) as Four<Float32Array>

/** Bounds of an object; objects in a form have the form's coordinates. */
function boundsOf(object: Handle, matrix: Matrix): Rectangle | null {
  if (!pdfium().objectBounds(object, ...edges)) return null
  const [left, bottom, right, top] = bounds as unknown as Four<number>
  return mapped(matrix, left, bottom, right, top)
}

function readImage(image: Handle, view: Matrix, found: Graphics, page: View, marks: PageMarks): void {
  const library = pdfium()
  const bounds = boundsOf(image, view)
  if (!bounds || !isOn(bounds, page)) return
  const width = new Uint32Array(1)
  const height = new Uint32Array(1)
  if (!library.imageSize(image, width, height)) return
  const { artefact, hidden, replaced } = readMarks(image, marks)
  if (hidden) return
  found.images.push({
    ...bounds,
    pixelWidth: width[0]!,
    pixelHeight: height[0]!,
    content: library.markedContent(image),
    artefact,
    replaced,
    handle: image,
  })
}
