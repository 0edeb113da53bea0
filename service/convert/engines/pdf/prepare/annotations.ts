/** Draws comments that come without an appearance (ISO 32000-2, 12.5.6), as viewers do. */
import { PDFDict, type PDFDocument } from '@cantoo/pdf-lib'
import { DamagedFile } from '../../common/damage.ts'
import {
  annotationsOf,
  arrayEntry,
  dictEntry,
  name,
  nameEntry,
  numberEntry,
  numbersEntry,
  numbersOf,
} from '../pdfa/objects.ts'
import { type Appearance, Comment } from './comment.ts'
import { FieldFonts } from './field-fonts.ts'
import { colour, FILL, grown, LINE, rectangle } from './shapes.ts'

/** Annotations that show nothing by themselves, or are drawn as what they are. */
const SILENT = new Set(['Popup', 'Link', 'Widget', 'Watermark', 'PrinterMark', 'TrapNet'])
/** Annotations that are drawn. */
const LIMIT = 20_000
/** Bits of the flags of an annotation (table 167): it is not to be seen. */
const UNSEEN = 2 | 32

/**
 * @param only the kind of those to draw; by default all
 * @returns whether any was drawn, the numbers from 0 of pages with one that cannot be drawn, and the scripts of letters that were left out
 */
export async function drawAnnotations(
  document: PDFDocument,
  only?: string,
): Promise<{ drawn: boolean; missing: number[]; lacking: string[] }> {
  const missing = new Set<number>()
  const fonts = new FieldFonts(document, PDFDict.withContext(document.context))
  let [drawn, left] = [false, LIMIT]
  for (const [index, { node }] of document.getPages().entries())
    for (const annotation of annotationsOf(node)) {
      const kind = nameEntry(annotation, 'Subtype')
      if (!kind || SILENT.has(kind) || hasAppearance(annotation)) continue
      if (only && kind !== only) continue
      if ((numberEntry(annotation, 'F') ?? 0) & UNSEEN || --left < 0) continue
      if (await draw(annotation, kind, fonts)) drawn = true
      else missing.add(index)
    }
  return { drawn, missing: [...missing], lacking: [...fonts.lacking] }
}

const hasAppearance = (annotation: PDFDict) => dictEntry(annotation, 'AP', 'N') !== undefined

async function draw(annotation: PDFDict, kind: string, fonts: FieldFonts): Promise<boolean> {
  try {
    const appearance = await new Comment(annotation, fonts).appearance(kind)
    if (!appearance) return false
    setAppearance(annotation, appearance)
    return true
  } catch {
    // It is damaged.
    return false
  }
}

/** The form's own coordinates are those of the page, so that its box is the place of the annotation. @throws DamagedFile if a number of it is none */
function setAppearance(annotation: PDFDict, appearance: Appearance): void {
  const { context } = annotation
  const { content, points = [], stroke = [], fill = [], width = 1, blend = 'Normal', fonts = {} } = appearance
  const opacity = Math.min(1, Math.max(0, numberEntry(annotation, 'CA') ?? 1))
  const box = grown(rectangle(numbersEntry(annotation, 'Rect')), points, width)
  const state = { Type: 'ExtGState', CA: opacity, ca: opacity, BM: blend }
  const look = `${colour(stroke, LINE)} ${colour(fill, FILL)} ${width} w ${dashes(annotation)}`
  const written = `q /State gs ${look} ${content} Q`
  if (/NaN|Infinity|\de/.test(`${written} ${box}`)) throw new DamagedFile('no number')
  const form = context.flateStream(written, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: box,
    Resources: { ExtGState: { State: state }, Font: fonts },
    Group: { S: 'Transparency' },
  })
  annotation.set(name('Rect'), context.obj(box))
  annotation.set(name('AP'), context.obj({ N: context.register(form) }))
}

function dashes(annotation: PDFDict): string {
  const style = dictEntry(annotation, 'BS')
  const border = arrayEntry(annotation, 'Border')
  const isDashed = nameEntry(style, 'S') === 'D'
  const given = isDashed ? (numbersEntry(style, 'D') ?? [3]) : border && numbersOf(border.lookup(3))
  const usable = given?.every(length => length >= 0) && given.some(length => length > 0)
  return usable && (isDashed || !style) ? `[${given!.join(' ')}] 0 d` : ''
}
