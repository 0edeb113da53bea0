/** Removes from a PDF what PDF/A-2 forbids and what is invisible on paper; ISO 19005-2, clauses in brackets. */
import {
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPageLeaf,
  type PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import {
  allDicts,
  arrayEntry,
  dataOf,
  dictEntry,
  dictOf,
  entry,
  filtersOf,
  follow,
  inherited,
  isRaw,
  items,
  keepAnnotations,
  listed,
  name,
  nameEntry,
  numberEntry,
  numbersEntry,
  numbersOf,
  remove,
  setData,
} from './objects.ts'

/** Permitted actions (6.5.1). */
const ACTIONS = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'SubmitForm', 'Named'])
const NAMED_ACTIONS = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

/** Permitted annotations (6.3.1). */
const ANNOTATIONS = new Set(
  `Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup
  Widget PrinterMark TrapNet Watermark Redact`.split(/\s+/),
)

/** What other annotations have to play or to open. */
const MEDIA = 'FS Movie Sound 3DD 3DV 3DA RichMediaContent RichMediaSettings MK A'.split(' ')

/** Bits of an annotation's flags (ISO 32000-1, table 165). */
const [INVISIBLE, HIDDEN, PRINT, NO_VIEW, TOGGLE_NO_VIEW] = [1, 2, 4, 32, 256]

/** Filters of data that are no pictures. */
const TEXT_FILTERS = new Set(['LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'FlateDecode'])

export const RENDERING_INTENTS = new Set(
  'RelativeColorimetric AbsoluteColorimetric Perceptual Saturation'.split(' '),
)
const BLEND_MODES = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion
  Hue Saturation Color Luminosity`.split(/\s+/),
)

/** Removed items that a person may miss. */
export interface Removed {
  attachments: boolean
  signatures: boolean
}

export function removeForbidden(document: PDFDocument): Removed {
  const removed = { attachments: false, signatures: false }
  const { catalog } = document
  remove(catalog, 'OpenAction', 'AA', 'JavaScript', 'Requirements', 'Perms', 'Legal', 'SpiderInfo')
  remove(catalog, 'Collection', 'NeedsRendering', 'Metadata', 'Extensions', 'OutputIntents', 'AF', 'DSS')
  remove(catalog, 'PieceInfo')
  const names = dictEntry(catalog, 'Names')
  if (names) remove(names, 'JavaScript', 'EmbeddedFiles', 'AlternatePresentations', 'Renditions')
  else remove(catalog, 'Names')
  remove(dictEntry(catalog, 'AcroForm'), 'XFA', 'NeedAppearances', 'SigFlags')
  tidyLayers(document)
  for (const { dict, stream } of allDicts(document)) {
    if (nameEntry(dict, 'FT') === 'Sig' && dict.has(name('V'))) removed.signatures = true
    if (nameEntry(dict, 'Type') === 'EmbeddedFile' || dict.has(name('EF'))) removed.attachments = true
    if (stream) cleanStream(dict, stream)
    cleanDict(dict)
  }
  for (const page of document.getPages()) {
    const dict = page.node
    mendBoxes(dict)
    remove(dict, 'PresSteps', 'Dur', 'Trans', 'AA')
    keepAnnotations(dict, tidyAnnotation)
  }
  return removed
}

/** Size of US Letter in points: how PDFium shows a page whose media box is missing or has no area. */
const LETTER = [0, 0, 612, 792]

/** Gives a page boxes with an area. */
function mendBoxes(page: PDFPageLeaf): void {
  const { context } = page
  const hasArea = (key: string) => {
    const corners = numbersOf(follow(context, inherited(page, key))) ?? []
    const [left = 0, bottom = 0, right = 0, top = 0] = corners
    return corners.length === 4 && Math.abs(right - left) > 0 && Math.abs(top - bottom) > 0
  }
  if (!hasArea('MediaBox')) page.set(name('MediaBox'), context.obj(LETTER))
  if (inherited(page, 'CropBox') && !hasArea('CropBox')) page.set(name('CropBox'), page.MediaBox())
  for (const key of ['BleedBox', 'TrimBox', 'ArtBox'])
    if (page.has(name(key)) && !hasArea(key)) remove(page, key)
}

/** Layers need a name, an order that contains all of them, and no automatic states (6.9). */
function tidyLayers({ catalog, context }: PDFDocument): void {
  const properties = dictEntry(catalog, 'OCProperties')
  const standard = dictEntry(properties, 'D')
  if (!properties || !standard) {
    remove(catalog, 'OCProperties')
    return
  }
  remove(properties, 'Configs')
  // Without an order viewers list no layers; they are shown and hidden as before.
  remove(standard, 'AS', 'Order')
  if (!(entry(standard, 'Name') instanceof PDFString)) standard.set(name('Name'), PDFString.of('Layers'))
  for (const group of items(context, arrayEntry(properties, 'OCGs'))) {
    const dict = dictOf(group)
    if (dict && !dict.has(name('Name'))) dict.set(name('Name'), PDFString.of('Layer'))
  }
}

/** Whether an annotation may be kept; it is then made visible and printable, with one appearance (6.3). */
function tidyAnnotation(annotation: PDFDict): boolean {
  let type = nameEntry(annotation, 'Subtype') ?? ''
  if (!ANNOTATIONS.has(type)) {
    // A stamp has nothing but its picture, which is all that paper shows of a video.
    type = 'Stamp'
    annotation.set(name('Subtype'), name(type))
    remove(annotation, ...MEDIA)
  }
  const flags = numberEntry(annotation, 'F') ?? 0
  // Hidden annotations must not become visible.
  if (flags & (HIDDEN | NO_VIEW)) return false
  if (type !== 'Popup' || annotation.has(name('F'))) {
    const kept = (flags | PRINT) & ~(INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW)
    annotation.set(name('F'), PDFNumber.of(kept))
  }
  const appearance = dictEntry(annotation, 'AP')
  const normal = entry(appearance, 'N')
  remove(appearance, 'D', 'R')
  if (type === 'Widget') remove(annotation, 'A', 'AA')
  if (type === 'Link' || type === 'Popup') return true
  const normalDict = dictOf(normal)
  if (!appearance || !normalDict) return hasNoArea(annotation)
  const isButton =
    nameEntry(annotation, 'FT') === 'Btn' ||
    nameEntry(dictEntry(annotation, 'Parent') ?? annotation, 'FT') === 'Btn'
  const states = !isRaw(normal) && normal instanceof PDFDict
  if (type === 'Widget' && isButton) {
    if (states) return true
    // Buttons have an appearance for each state, all other annotations just one.
    const state = nameEntry(annotation, 'AS') ?? 'On'
    const single = appearance.get(name('N'))
    if (single) appearance.set(name('N'), annotation.context.obj({ [state]: single }))
    annotation.set(name('AS'), name(state))
    return true
  }
  if (!states) return true
  const chosen = normalDict.get(name(nameEntry(annotation, 'AS') ?? 'Off'))
  if (!chosen) return false
  appearance.set(name('N'), chosen)
  return true
}

function hasNoArea(annotation: PDFDict): boolean {
  const corners = numbersEntry(annotation, 'Rect') ?? []
  return corners.length === 4 && corners[0] === corners[2] && corners[1] === corners[3]
}

function cleanDict(dict: PDFDict): void {
  for (const key of ['A', 'Next', 'PA']) {
    const action = entry(dict, key)
    if (!(action instanceof PDFDict)) continue
    const type = nameEntry(action, 'S')
    const allowed =
      type === 'Named' ? NAMED_ACTIONS.has(nameEntry(action, 'N') ?? '') : ACTIONS.has(type ?? '')
    if (type !== undefined && !allowed) remove(dict, key)
  }
  // Metadata of single objects has its own rules (6.6.2.3) and does not affect the rendering.
  remove(dict, 'Metadata', 'AA')
  // Embedded files, and names of external files (6.8).
  remove(dict, 'EF', 'RF')
  const type = nameEntry(dict, 'Type')
  // A signature is not valid for a rewritten file (6.4.3).
  if (nameEntry(dict, 'FT') === 'Sig') remove(dict, 'V', 'Lock', 'SV')
  if (type === 'FontDescriptor') remove(dict, 'CIDSet', 'CharSet')
  if (type === 'Page') remove(dict, 'PieceInfo')
  // Without a map, codes are glyph numbers (6.2.11.3.2).
  if (nameEntry(dict, 'Subtype') === 'CIDFontType2' && !dict.has(name('CIDToGIDMap')))
    dict.set(name('CIDToGIDMap'), name('Identity'))
  const isState =
    type === 'ExtGState' || ['OPM', 'TR', 'TR2', 'HTP', 'HTO', 'BM'].some(key => dict.has(name(key)))
  if (isState) {
    // Transfer functions and halftones (6.2.5).
    remove(dict, 'TR', 'HTP', 'HTO', 'HT')
    if (nameEntry(dict, 'TR2') !== 'Default') remove(dict, 'TR2')
    // Overprinting of CMYK with a profile (6.2.4.2).
    if (dict.has(name('OPM'))) dict.set(name('OPM'), PDFNumber.of(0))
    const modes = listed(dict, 'BM').map(mode => follow(dict.context, mode))
    const known = modes.find(mode => mode instanceof PDFName && BLEND_MODES.has(mode.decodeText()))
    if (modes.length > 0) dict.set(name('BM'), known ?? name('Normal'))
    const intent = nameEntry(dict, 'RI')
    if (intent !== undefined && !RENDERING_INTENTS.has(intent)) remove(dict, 'RI')
  }
}

function cleanStream(dict: PDFDict, stream: PDFStream): void {
  const type = nameEntry(dict, 'Subtype')
  // Streams outside the file (6.1.7.1), OPI and alternates (6.2.8).
  remove(dict, 'F', 'FFilter', 'FDecodeParms', 'OPI', 'Alternates', 'PS', 'Ref')
  if (type === 'Form') remove(dict, 'Subtype2')
  if (type === 'Image' || dict.has(name('Interpolate'))) {
    remove(dict, 'Interpolate')
    const intent = nameEntry(dict, 'Intent')
    if (intent !== undefined && !RENDERING_INTENTS.has(intent)) remove(dict, 'Intent')
  }
  const filters = filtersOf(dict)
  if (!isRaw(stream) || !filters.includes('LZWDecode') || !filters.every(filter => TEXT_FILTERS.has(filter)))
    return
  // LZW is not allowed (6.1.7.2); the check finds pages that draw what cannot be decoded.
  const data = dataOf(stream)
  if (data) setData(stream, data)
}
