/** Prepares an SVG document for the renderer: unsupported features are rewritten with supported ones. */
import { gunzipSync } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { decodeText } from '../../common/text.ts'
import { checkCost } from './cost.ts'
import { applyStyles } from './css/cascade.ts'
import { nameFamilies, readFaces } from './fonts/faces.ts'
import { withoutOutside } from './outside.ts'
import { parseVectorGraphic } from './parse.ts'
import { applyConditions } from './passes/conditions.ts'
import { removeCycles } from './passes/cycles.ts'
import { limitFilters } from './passes/filters.ts'
import { resolveLinks } from './passes/links.ts'
import { drawBackground, resolveContextPaint, turnStartMarkers } from './passes/paint.ts'
import { rewriteStrokes } from './passes/strokes.ts'
import { resolveTransforms } from './passes/transforms.ts'
import { normalizeValues } from './passes/values.ts'
import { type Element, serialize } from './tree.ts'
import { vectorGraphicSize } from './viewport.ts'

/** Largest document, unpacked, in characters. */
const TEXT_LIMIT = 100_000_000

/** Maximum nesting of documents. */
const NESTING_LIMIT = 3

/** Maximum number of pixels assumed for a nested document. */
const NESTED_PIXELS = 4_000_000

export interface VectorGraphic {
  root: Element
  /** Its own size in CSS pixels. */
  width: number
  height: number
  /** Font files of its own. */
  fonts: Buffer[]
  /** What was left out or is damaged. */
  warnings: Message[]
}

/**
 * Reads an SVG file, plain or gzipped, and prepares it for rendering. Nothing outside the bytes is opened.
 * @throws JobFailure corrupt_input; too_large if rendering would take too much time or memory
 */
export async function readVectorGraphic(file: Buffer): Promise<VectorGraphic> {
  const fonts: Fonts = { files: [], families: 0 }
  const vectorGraphic = await prepare(file, 0, fonts)
  return { ...vectorGraphic, fonts: fonts.files }
}

/** Fonts of a document and of those inside it. */
interface Fonts {
  files: Buffer[]
  families: number
}

async function prepare(file: Buffer, depth: number, fonts: Fonts): Promise<Omit<VectorGraphic, 'fonts'>> {
  const { root, damaged } = parseVectorGraphic(decodeText(unpack(file)))
  const { fontFaces, imports } = applyStyles(root)
  const { htmlLeftOut } = applyConditions(root)
  removeCycles(root)
  normalizeValues(root)
  const links = await resolveLinks(root, async bytes => {
    if (depth >= NESTING_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
    const inner = await prepare(bytes, depth + 1, fonts)
    const seen = { left: 0, top: 0, right: inner.width, bottom: inner.height }
    const root = withoutOutside(inner.root, inner, seen)
    // It is usually drawn smaller than its declared size.
    const scale = Math.min(1, Math.sqrt(NESTED_PIXELS / (inner.width * inner.height)))
    const ns = checkCost(root, inner, inner.width * scale, inner.height * scale)
    return { text: serialize(root), width: inner.width, height: inner.height, ns }
  })
  const size = vectorGraphicSize(root)
  resolveTransforms(root)
  limitFilters(root)
  rewriteStrokes(root, size)
  turnStartMarkers(root)
  resolveContextPaint(root)
  drawBackground(root)
  const faces = await readFaces(fontFaces, () => `Refile Embedded ${++fonts.families}`)
  fonts.files.push(...faces.fonts)
  nameFamilies(root, faces.families)
  const warnings = [
    damaged && message('picture.damaged'),
    (links.outside || imports || faces.outside) && message('svg.outside_left_out'),
    links.unreadable && message('svg.picture_unreadable'),
    faces.unreadable && message('svg.font_unreadable'),
    faces.variable && message('svg.font_variable'),
    htmlLeftOut && message('svg.html_left_out'),
  ].filter(warning => warning !== false)
  return { root, ...size, warnings }
}

function unpack(file: Buffer): Buffer {
  if (file.length > TEXT_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file
  try {
    return gunzipSync(file, { maxOutputLength: TEXT_LIMIT })
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge
      ? new JobFailure('jobs.too_large', message('svg.too_complex'))
      : new JobFailure('jobs.corrupt_input', undefined, { cause })
  }
}
