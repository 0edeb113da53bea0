/**
 * PDFium's functions, called in its shared library through koffi; see its public headers fpdfview.h, fpdf_text.h,
 * fpdf_formfill.h, fpdf_save.h and others. It is not thread-safe.
 */
import { openPdfium } from './shared-library.ts'

/** Address of an object that PDFium owns; 0 if there is none. */
export type Handle = number | bigint

type Out = Float32Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | null

/** Where a page is drawn in a bitmap, and by how many quarters it is turned clockwise. */
type Drawing = [x: number, y: number, width: number, height: number, rotation: number]

const H = 'uintptr_t'
const P = 'void *'

function declare() {
  const { koffi, library } = openPdfium()
  const f = <Call>(name: string, result: string, parameters: string[]) =>
    library.func(name, result, parameters) as unknown as Call
  type Read = (of: Handle, out: Out, bytes: number) => number
  type Of<Result> = (of: Handle) => Result
  type At<Result> = (of: Handle, index: number) => Result
  type Box = (of: Handle, rectangle: Out) => number
  const DRAW = [H, H, 'int', 'int', 'int', 'int', 'int', 'int']
  const writeBlock = koffi.pointer(koffi.proto('int (void *self, const void *data, ulong size)'))
  const fileWrite = koffi.struct({ version: 'int', WriteBlock: writeBlock })
  const saveAs = library.func('FPDF_SaveAsCopy', 'int', [H, koffi.pointer(fileWrite), 'ulong'])
  return {
    /** The memory at an address, as long as its owner keeps it. */
    view: (address: Handle, bytes: number) => new Uint8Array(koffi.view(address, bytes)),
    /** Writes a document; undefined if that fails. */
    save(document: Handle, flags: number): Buffer | undefined {
      const pieces: Buffer[] = []
      const block = koffi.register((_self: unknown, data: unknown, size: number) => {
        pieces.push(Buffer.from(koffi.view(data, size).slice(0)))
        return 1
      }, writeBlock)
      try {
        const isWritten = saveAs(document, { version: 1, WriteBlock: block }, flags) !== 0
        return isWritten ? Buffer.concat(pieces) : undefined
      } finally {
        koffi.unregister(block)
      }
    },

    lastError: f<() => number>('FPDF_GetLastError', 'ulong', []),
    load: f<(path: string, password: string | null) => Handle>('FPDF_LoadDocument', H, ['str', 'str']),
    loadBytes: f<(bytes: Uint8Array, count: number, password: string | null) => Handle>(
      'FPDF_LoadMemDocument64',
      H,
      [P, 'size_t', 'str'],
    ),
    pageSize: f<(document: Handle, index: number, size: Float32Array) => number>(
      'FPDF_GetPageSizeByIndexF',
      'int',
      [H, 'int', P],
    ),
    closeDocument: f<Of<void>>('FPDF_CloseDocument', 'void', [H]),
    /** Below 0 if the document is not protected. */
    protection: f<Of<number>>('FPDF_GetSecurityHandlerRevision', 'int', [H]),
    formType: f<Of<number>>('FPDF_GetFormType', 'int', [H]),
    startForm: f<(document: Handle, info: Uint8Array) => Handle>('FPDFDOC_InitFormFillEnvironment', H, [
      H,
      P,
    ]),
    endForm: f<Of<void>>('FPDFDOC_ExitFormFillEnvironment', 'void', [H]),
    pageCount: f<Of<number>>('FPDF_GetPageCount', 'int', [H]),
    metadata: f<(document: Handle, tag: string, out: Out, bytes: number) => number>(
      'FPDF_GetMetaText',
      'ulong',
      [H, 'str', P, 'ulong'],
    ),
    language: f<Read>('FPDFCatalog_GetLanguage', 'ulong', [H, P, 'ulong']),
    isTagged: f<Of<number>>('FPDFCatalog_IsTagged', 'int', [H]),
    attachmentCount: f<Of<number>>('FPDFDoc_GetAttachmentCount', 'int', [H]),
    attachment: f<At<Handle>>('FPDFDoc_GetAttachment', H, [H, 'int']),
    attachmentName: f<Read>('FPDFAttachment_GetName', 'ulong', [H, P, 'ulong']),

    loadPage: f<At<Handle>>('FPDF_LoadPage', H, [H, 'int']),
    closePage: f<Of<void>>('FPDF_ClosePage', 'void', [H]),
    startFormOfPage: f<(page: Handle, form: Handle) => void>('FORM_OnAfterLoadPage', 'void', [H, H]),
    endFormOfPage: f<(page: Handle, form: Handle) => void>('FORM_OnBeforeClosePage', 'void', [H, H]),
    /** Where a point of the page is in a drawing of that place, size and rotation. */
    pointInDrawing: f<
      (
        page: Handle,
        ...drawing: [...Drawing, pageX: number, pageY: number, x: Int32Array, y: Int32Array]
      ) => number
    >('FPDF_PageToDevice', 'int', [H, 'int', 'int', 'int', 'int', 'int', 'double', 'double', P, P]),
    flatten: f<At<number>>('FPDFPage_Flatten', 'int', [H, 'int']),
    annotationCount: f<Of<number>>('FPDFPage_GetAnnotCount', 'int', [H]),
    annotation: f<At<Handle>>('FPDFPage_GetAnnot', H, [H, 'int']),
    annotationKind: f<Of<number>>('FPDFAnnot_GetSubtype', 'int', [H]),
    annotationFlags: f<Of<number>>('FPDFAnnot_GetFlags', 'int', [H]),
    annotationBox: f<Box>('FPDFAnnot_GetRect', 'int', [H, P]),
    annotationText: f<(annotation: Handle, key: string, out: Out, bytes: number) => number>(
      'FPDFAnnot_GetStringValue',
      'ulong',
      [H, 'str', P, 'ulong'],
    ),
    appearance: f<(annotation: Handle, mode: number, out: Out, bytes: number) => number>(
      'FPDFAnnot_GetAP',
      'ulong',
      [H, 'int', P, 'ulong'],
    ),
    /** The file that an annotation attaches. */
    attachmentAt: f<Of<Handle>>('FPDFAnnot_GetFileAttachment', H, [H]),
    closeAnnotation: f<Of<void>>('FPDFPage_CloseAnnot', 'void', [H]),
    rotation: f<Of<number>>('FPDFPage_GetRotation', 'int', [H]),
    pageBounds: f<Box>('FPDF_GetPageBoundingBox', 'int', [H, P]),

    loadText: f<Of<Handle>>('FPDFText_LoadPage', H, [H]),
    closeText: f<Of<void>>('FPDFText_ClosePage', 'void', [H]),
    charCount: f<Of<number>>('FPDFText_CountChars', 'int', [H]),
    /** Clockwise, in radians; below 0 if unknown. */
    charAngle: f<At<number>>('FPDFText_GetCharAngle', 'float', [H, 'int']),
    unicode: f<At<number>>('FPDFText_GetUnicode', 'uint32', [H, 'int']),
    charBox: f<(text: Handle, index: number, rectangle: Out) => number>('FPDFText_GetLooseCharBox', 'int', [
      H,
      'int',
      P,
    ]),
    inkBox: f<(text: Handle, index: number, left: Out, right: Out, bottom: Out, top: Out) => number>(
      'FPDFText_GetCharBox',
      'int',
      [H, 'int', P, P, P, P],
    ),
    charOrigin: f<(text: Handle, index: number, x: Out, y: Out) => number>('FPDFText_GetCharOrigin', 'int', [
      H,
      'int',
      P,
      P,
    ]),
    charMatrix: f<(text: Handle, index: number, matrix: Out) => number>('FPDFText_GetMatrix', 'int', [
      H,
      'int',
      P,
    ]),
    charFontSize: f<At<number>>('FPDFText_GetFontSize', 'double', [H, 'int']),
    charObject: f<At<Handle>>('FPDFText_GetTextObject', H, [H, 'int']),
    isGenerated: f<At<number>>('FPDFText_IsGenerated', 'int', [H, 'int']),
    isUnmapped: f<At<number>>('FPDFText_HasUnicodeMapError', 'int', [H, 'int']),

    font: f<Of<Handle>>('FPDFTextObj_GetFont', H, [H]),
    renderMode: f<Of<number>>('FPDFTextObj_GetTextRenderMode', 'int', [H]),
    setRenderMode: f<(text: Handle, mode: number) => number>('FPDFTextObj_SetTextRenderMode', 'int', [
      H,
      'int',
    ]),
    fontName: f<Read>('FPDFFont_GetBaseFontName', 'size_t', [H, P, 'size_t']),
    fontFlags: f<Of<number>>('FPDFFont_GetFlags', 'int', [H]),
    fontWeight: f<Of<number>>('FPDFFont_GetWeight', 'int', [H]),
    italicAngle: f<(font: Handle, angle: Out) => number>('FPDFFont_GetItalicAngle', 'int', [H, P]),

    objectCount: f<Of<number>>('FPDFPage_CountObjects', 'int', [H]),
    object: f<At<Handle>>('FPDFPage_GetObject', H, [H, 'int']),
    objectType: f<Of<number>>('FPDFPageObj_GetType', 'int', [H]),
    objectMatrix: f<(object: Handle, matrix: Out) => number>('FPDFPageObj_GetMatrix', 'int', [H, P]),
    hasTransparency: f<Of<number>>('FPDFPageObj_HasTransparency', 'int', [H]),
    setObjectMatrix: f<(object: Handle, matrix: Out) => number>('FPDFPageObj_SetMatrix', 'int', [H, P]),
    objectBounds: f<(object: Handle, left: Out, bottom: Out, right: Out, top: Out) => number>(
      'FPDFPageObj_GetBounds',
      'int',
      [H, P, P, P, P],
    ),
    markedContent: f<Of<number>>('FPDFPageObj_GetMarkedContentID', 'int', [H]),
    markCount: f<Of<number>>('FPDFPageObj_CountMarks', 'int', [H]),
    mark: f<At<Handle>>('FPDFPageObj_GetMark', H, [H, 'ulong']),
    markName: f<(mark: Handle, out: Out, bytes: number, needed: Out) => number>(
      'FPDFPageObjMark_GetName',
      'int',
      [H, P, 'ulong', P],
    ),
    markValueType: f<(mark: Handle, key: string) => number>('FPDFPageObjMark_GetParamValueType', 'int', [
      H,
      'str',
    ]),
    markBytes: f<(mark: Handle, key: string, out: Out, bytes: number, needed: Out) => number>(
      'FPDFPageObjMark_GetParamBlobValue',
      'int',
      [H, 'str', P, 'ulong', P],
    ),
    fillColour: f<(object: Handle, r: Out, g: Out, b: Out, a: Out) => number>(
      'FPDFPageObj_GetFillColor',
      'int',
      [H, P, P, P, P],
    ),
    formObjectCount: f<Of<number>>('FPDFFormObj_CountObjects', 'int', [H]),
    formObject: f<At<Handle>>('FPDFFormObj_GetObject', H, [H, 'ulong']),

    segmentCount: f<Of<number>>('FPDFPath_CountSegments', 'int', [H]),
    segment: f<At<Handle>>('FPDFPath_GetPathSegment', H, [H, 'int']),
    segmentPoint: f<(segment: Handle, x: Out, y: Out) => number>('FPDFPathSegment_GetPoint', 'int', [
      H,
      P,
      P,
    ]),
    segmentType: f<Of<number>>('FPDFPathSegment_GetType', 'int', [H]),
    segmentCloses: f<Of<number>>('FPDFPathSegment_GetClose', 'int', [H]),
    drawMode: f<(path: Handle, fill: Out, stroke: Out) => number>('FPDFPath_GetDrawMode', 'int', [H, P, P]),

    imageSize: f<(image: Handle, width: Out, height: Out) => number>(
      'FPDFImageObj_GetImagePixelSize',
      'int',
      [H, P, P],
    ),
    filterCount: f<Of<number>>('FPDFImageObj_GetImageFilterCount', 'int', [H]),
    filter: f<(image: Handle, index: number, out: Out, bytes: number) => number>(
      'FPDFImageObj_GetImageFilter',
      'ulong',
      [H, 'int', P, 'ulong'],
    ),
    imageData: f<Read>('FPDFImageObj_GetImageDataRaw', 'ulong', [H, P, 'ulong']),
    imageMetadata: f<(image: Handle, page: Handle, out: Out) => number>(
      'FPDFImageObj_GetImageMetadata',
      'int',
      [H, H, P],
    ),
    imageBitmap: f<(document: Handle, page: Handle, image: Handle) => Handle>(
      'FPDFImageObj_GetRenderedBitmap',
      H,
      [H, H, H],
    ),
    bitmapWidth: f<Of<number>>('FPDFBitmap_GetWidth', 'int', [H]),
    bitmapHeight: f<Of<number>>('FPDFBitmap_GetHeight', 'int', [H]),
    bitmapStride: f<Of<number>>('FPDFBitmap_GetStride', 'int', [H]),
    bitmapFormat: f<Of<number>>('FPDFBitmap_GetFormat', 'int', [H]),
    bitmapData: f<Of<Handle>>('FPDFBitmap_GetBuffer', H, [H]),
    createBitmap: f<
      (width: number, height: number, format: number, data: Uint8Array, stride: number) => Handle
    >('FPDFBitmap_CreateEx', H, ['int', 'int', 'int', P, 'int']),
    destroyBitmap: f<Of<void>>('FPDFBitmap_Destroy', 'void', [H]),
    fillBitmap: f<
      (bitmap: Handle, left: number, top: number, width: number, height: number, argb: number) => number
    >('FPDFBitmap_FillRect', 'int', [H, 'int', 'int', 'int', 'int', 'ulong']),
    draw: f<(bitmap: Handle, page: Handle, ...drawing: [...Drawing, flags: number]) => void>(
      'FPDF_RenderPageBitmap',
      'void',
      DRAW,
    ),
    drawForm: f<
      (form: Handle, bitmap: Handle, page: Handle, ...drawing: [...Drawing, flags: number]) => void
    >('FPDF_FFLDraw', 'void', [H, ...DRAW]),
    drawTransformed: f<
      (bitmap: Handle, page: Handle, matrix: Float32Array, clip: Float32Array, flags: number) => void
    >('FPDF_RenderPageBitmapWithMatrix', 'void', [H, H, P, P, 'int']),

    nextLink: f<(page: Handle, position: Out, link: BigUint64Array) => number>('FPDFLink_Enumerate', 'int', [
      H,
      P,
      P,
    ]),
    linkRectangle: f<Box>('FPDFLink_GetAnnotRect', 'int', [H, P]),
    linkAction: f<Of<Handle>>('FPDFLink_GetAction', H, [H]),
    linkDestination: f<(document: Handle, link: Handle) => Handle>('FPDFLink_GetDest', H, [H, H]),
    linkQuads: f<Of<number>>('FPDFLink_CountQuadPoints', 'int', [H]),
    linkQuad: f<(link: Handle, index: number, quad: Out) => number>('FPDFLink_GetQuadPoints', 'int', [
      H,
      'int',
      P,
    ]),
    actionType: f<Of<number>>('FPDFAction_GetType', 'ulong', [H]),
    actionUri: f<(document: Handle, action: Handle, out: Out, bytes: number) => number>(
      'FPDFAction_GetURIPath',
      'ulong',
      [H, H, P, 'ulong'],
    ),
    actionDestination: f<(document: Handle, action: Handle) => Handle>('FPDFAction_GetDest', H, [H, H]),
    destinationPage: f<(document: Handle, destination: Handle) => number>(
      'FPDFDest_GetDestPageIndex',
      'int',
      [H, H],
    ),

    firstBookmark: f<(document: Handle, parent: Handle) => Handle>('FPDFBookmark_GetFirstChild', H, [H, H]),
    nextBookmark: f<(document: Handle, bookmark: Handle) => Handle>('FPDFBookmark_GetNextSibling', H, [H, H]),
    bookmarkTitle: f<Read>('FPDFBookmark_GetTitle', 'ulong', [H, P, 'ulong']),
    bookmarkDestination: f<(document: Handle, bookmark: Handle) => Handle>('FPDFBookmark_GetDest', H, [H, H]),

    structure: f<Of<Handle>>('FPDF_StructTree_GetForPage', H, [H]),
    closeStructure: f<Of<void>>('FPDF_StructTree_Close', 'void', [H]),
    structureCount: f<Of<number>>('FPDF_StructTree_CountChildren', 'int', [H]),
    structureChild: f<At<Handle>>('FPDF_StructTree_GetChildAtIndex', H, [H, 'int']),
    elementType: f<Read>('FPDF_StructElement_GetType', 'ulong', [H, P, 'ulong']),
    elementAlternative: f<Read>('FPDF_StructElement_GetAltText', 'ulong', [H, P, 'ulong']),
    elementText: f<Read>('FPDF_StructElement_GetActualText', 'ulong', [H, P, 'ulong']),
    elementCount: f<Of<number>>('FPDF_StructElement_CountChildren', 'int', [H]),
    elementChild: f<At<Handle>>('FPDF_StructElement_GetChildAtIndex', H, [H, 'int']),
    elementChildContent: f<At<number>>('FPDF_StructElement_GetChildMarkedContentID', 'int', [H, 'int']),
    attributeCount: f<Of<number>>('FPDF_StructElement_GetAttributeCount', 'int', [H]),
    attributes: f<At<Handle>>('FPDF_StructElement_GetAttributeAtIndex', H, [H, 'int']),
    attributeValue: f<(attributes: Handle, name: string) => Handle>('FPDF_StructElement_Attr_GetValue', H, [
      H,
      'str',
    ]),
    attributeNumber: f<(value: Handle, out: Out) => number>('FPDF_StructElement_Attr_GetNumberValue', 'int', [
      H,
      P,
    ]),
  }
}

let declared: ReturnType<typeof declare> | undefined

/**
 * PDFium, bound on first use; only one thread per process may call it.
 * @throws JobFailure engine_missing if its library is not there
 */
export function pdfium(): ReturnType<typeof declare> {
  declared ??= declare()
  return declared
}

/** Longest text that is read from a file at once, in bytes. */
const TEXT_LIMIT_BYTES = 2 ** 16

type Reader = (out: Uint8Array | null, bytes: number) => number

/** Calls a function that returns the size of its output, then reads the output. */
export function readBytes(reader: Reader): Buffer {
  const bytes = Number(reader(null, 0))
  if (bytes <= 0 || bytes > TEXT_LIMIT_BYTES) return Buffer.alloc(0)
  const out = Buffer.alloc(bytes)
  reader(out, bytes)
  return out
}

/** Reads UTF-16 output without its terminator. */
export const readUtf16 = (reader: Reader): string => readBytes(reader).toString('utf16le').replace(/\0+$/, '')

/** Reads UTF-8 or ASCII output without its terminator. */
export const readUtf8 = (reader: Reader): string => readBytes(reader).toString('utf8').replace(/\0+$/, '')
