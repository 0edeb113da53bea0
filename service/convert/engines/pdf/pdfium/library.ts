/**
 * PDFium's functions, called in its shared library through koffi; see its public headers fpdfview.h, fpdf_text.h,
 * fpdf_formfill.h, fpdf_save.h and others. It is not thread-safe.
 */
import { openPdfium } from './shared-library.ts'

/** Address of an object that PDFium owns; 0 if there is none. */
export type Handle = number | bigint

/** What functions take and return for the types in their prototypes: H is an object of PDFium, P memory that is read or written. */
interface Types {
  H: Handle
  P: NodeJS.TypedArray | null
  str: string | null
  int: number
  uint32: number
  ulong: number
  size_t: number
  float: number
  double: number
  void: unknown
}

type Given<List extends string> = List extends `${infer First extends keyof Types}, ${infer Rest}`
  ? [Types[First], ...Given<Rest>]
  : List extends keyof Types
    ? [Types[List]]
    : []

type Call<Prototype extends string> =
  Prototype extends `${infer Result extends keyof Types} ${string}(${infer List})`
    ? (...given: Given<List>) => Types[Result]
    : never

/** Flag of fpdf_save.h. */
const REMOVE_SECURITY = 3

const ADDRESSES: Record<string, string> = { H: 'uintptr_t', P: 'void *' }

function declare() {
  const { koffi, library } = openPdfium()
  const f = <const Prototype extends string>(prototype: Prototype) => {
    const [result = '', name = '', ...parameters] = prototype
      .split(/[ (),]+/)
      .filter(Boolean)
      .map(part => ADDRESSES[part] ?? part)
    return library.func(name, result, parameters) as unknown as Call<Prototype>
  }
  const writeBlock = koffi.pointer(koffi.proto('int (void *self, const void *data, ulong size)'))
  const fileWrite = koffi.struct({ version: 'int', WriteBlock: writeBlock })
  const saveAs = library.func('FPDF_SaveAsCopy', 'int', ['uintptr_t', koffi.pointer(fileWrite), 'ulong'])
  return {
    /** The memory at an address, as long as its owner keeps it. */
    view: (address: Handle, bytes: number) => new Uint8Array(koffi.view(address, bytes)),
    /** Writes a document without its protection; undefined if that fails. */
    save(document: Handle): Buffer | undefined {
      const pieces: Buffer[] = []
      const block = koffi.register((_self: unknown, data: unknown, size: number) => {
        pieces.push(Buffer.from(koffi.view(data, size).slice(0)))
        return 1
      }, writeBlock)
      try {
        const isWritten = saveAs(document, { version: 1, WriteBlock: block }, REMOVE_SECURITY) !== 0
        return isWritten ? Buffer.concat(pieces) : undefined
      } finally {
        koffi.unregister(block)
      }
    },

    lastError: f('ulong FPDF_GetLastError()'),
    load: f('H FPDF_LoadDocument(str, str)'),
    loadBytes: f('H FPDF_LoadMemDocument64(P, size_t, str)'),
    pageSize: f('int FPDF_GetPageSizeByIndexF(H, int, P)'),
    closeDocument: f('void FPDF_CloseDocument(H)'),
    /** Below 0 if the document is not protected. */
    protection: f('int FPDF_GetSecurityHandlerRevision(H)'),
    formType: f('int FPDF_GetFormType(H)'),
    startForm: f('H FPDFDOC_InitFormFillEnvironment(H, P)'),
    endForm: f('void FPDFDOC_ExitFormFillEnvironment(H)'),
    pageCount: f('int FPDF_GetPageCount(H)'),
    metadata: f('ulong FPDF_GetMetaText(H, str, P, ulong)'),
    language: f('ulong FPDFCatalog_GetLanguage(H, P, ulong)'),
    isTagged: f('int FPDFCatalog_IsTagged(H)'),
    attachmentCount: f('int FPDFDoc_GetAttachmentCount(H)'),
    attachment: f('H FPDFDoc_GetAttachment(H, int)'),
    attachmentName: f('ulong FPDFAttachment_GetName(H, P, ulong)'),

    loadPage: f('H FPDF_LoadPage(H, int)'),
    closePage: f('void FPDF_ClosePage(H)'),
    startFormOfPage: f('void FORM_OnAfterLoadPage(H, H)'),
    endFormOfPage: f('void FORM_OnBeforeClosePage(H, H)'),
    flatten: f('int FPDFPage_Flatten(H, int)'),
    annotationCount: f('int FPDFPage_GetAnnotCount(H)'),
    annotation: f('H FPDFPage_GetAnnot(H, int)'),
    annotationKind: f('int FPDFAnnot_GetSubtype(H)'),
    annotationFlags: f('int FPDFAnnot_GetFlags(H)'),
    annotationBox: f('int FPDFAnnot_GetRect(H, P)'),
    annotationText: f('ulong FPDFAnnot_GetStringValue(H, str, P, ulong)'),
    /** The file that an annotation attaches. */
    attachmentAt: f('H FPDFAnnot_GetFileAttachment(H)'),
    closeAnnotation: f('void FPDFPage_CloseAnnot(H)'),
    rotation: f('int FPDFPage_GetRotation(H)'),
    pageBounds: f('int FPDF_GetPageBoundingBox(H, P)'),

    loadText: f('H FPDFText_LoadPage(H)'),
    closeText: f('void FPDFText_ClosePage(H)'),
    charCount: f('int FPDFText_CountChars(H)'),
    /** Clockwise, in radians; below 0 if unknown. */
    charAngle: f('float FPDFText_GetCharAngle(H, int)'),
    unicode: f('uint32 FPDFText_GetUnicode(H, int)'),
    charBox: f('int FPDFText_GetLooseCharBox(H, int, P)'),
    inkBox: f('int FPDFText_GetCharBox(H, int, P, P, P, P)'),
    charOrigin: f('int FPDFText_GetCharOrigin(H, int, P, P)'),
    charMatrix: f('int FPDFText_GetMatrix(H, int, P)'),
    charFontSize: f('double FPDFText_GetFontSize(H, int)'),
    charObject: f('H FPDFText_GetTextObject(H, int)'),
    isGenerated: f('int FPDFText_IsGenerated(H, int)'),
    isUnmapped: f('int FPDFText_HasUnicodeMapError(H, int)'),

    font: f('H FPDFTextObj_GetFont(H)'),
    renderMode: f('int FPDFTextObj_GetTextRenderMode(H)'),
    setRenderMode: f('int FPDFTextObj_SetTextRenderMode(H, int)'),
    fontName: f('size_t FPDFFont_GetBaseFontName(H, P, size_t)'),
    fontFlags: f('int FPDFFont_GetFlags(H)'),
    fontWeight: f('int FPDFFont_GetWeight(H)'),

    objectCount: f('int FPDFPage_CountObjects(H)'),
    object: f('H FPDFPage_GetObject(H, int)'),
    objectType: f('int FPDFPageObj_GetType(H)'),
    objectMatrix: f('int FPDFPageObj_GetMatrix(H, P)'),
    hasTransparency: f('int FPDFPageObj_HasTransparency(H)'),
    setObjectMatrix: f('int FPDFPageObj_SetMatrix(H, P)'),
    objectBounds: f('int FPDFPageObj_GetBounds(H, P, P, P, P)'),
    markedContent: f('int FPDFPageObj_GetMarkedContentID(H)'),
    markCount: f('int FPDFPageObj_CountMarks(H)'),
    mark: f('H FPDFPageObj_GetMark(H, ulong)'),
    markName: f('int FPDFPageObjMark_GetName(H, P, ulong, P)'),
    markValueType: f('int FPDFPageObjMark_GetParamValueType(H, str)'),
    markBytes: f('int FPDFPageObjMark_GetParamBlobValue(H, str, P, ulong, P)'),
    fillColour: f('int FPDFPageObj_GetFillColor(H, P, P, P, P)'),
    formObjectCount: f('int FPDFFormObj_CountObjects(H)'),
    formObject: f('H FPDFFormObj_GetObject(H, ulong)'),

    segmentCount: f('int FPDFPath_CountSegments(H)'),
    segment: f('H FPDFPath_GetPathSegment(H, int)'),
    segmentPoint: f('int FPDFPathSegment_GetPoint(H, P, P)'),
    segmentType: f('int FPDFPathSegment_GetType(H)'),
    segmentCloses: f('int FPDFPathSegment_GetClose(H)'),
    drawMode: f('int FPDFPath_GetDrawMode(H, P, P)'),

    imageSize: f('int FPDFImageObj_GetImagePixelSize(H, P, P)'),
    filterCount: f('int FPDFImageObj_GetImageFilterCount(H)'),
    filter: f('ulong FPDFImageObj_GetImageFilter(H, int, P, ulong)'),
    imageData: f('ulong FPDFImageObj_GetImageDataRaw(H, P, ulong)'),
    imageMetadata: f('int FPDFImageObj_GetImageMetadata(H, H, P)'),
    imageBitmap: f('H FPDFImageObj_GetRenderedBitmap(H, H, H)'),
    bitmapWidth: f('int FPDFBitmap_GetWidth(H)'),
    bitmapHeight: f('int FPDFBitmap_GetHeight(H)'),
    bitmapStride: f('int FPDFBitmap_GetStride(H)'),
    bitmapFormat: f('int FPDFBitmap_GetFormat(H)'),
    bitmapData: f('H FPDFBitmap_GetBuffer(H)'),
    createBitmap: f('H FPDFBitmap_CreateEx(int, int, int, P, int)'),
    destroyBitmap: f('void FPDFBitmap_Destroy(H)'),
    fillBitmap: f('int FPDFBitmap_FillRect(H, int, int, int, int, ulong)'),
    draw: f('void FPDF_RenderPageBitmap(H, H, int, int, int, int, int, int)'),
    drawForm: f('void FPDF_FFLDraw(H, H, H, int, int, int, int, int, int)'),
    drawTransformed: f('void FPDF_RenderPageBitmapWithMatrix(H, H, P, P, int)'),

    nextLink: f('int FPDFLink_Enumerate(H, P, P)'),
    linkRectangle: f('int FPDFLink_GetAnnotRect(H, P)'),
    linkAction: f('H FPDFLink_GetAction(H)'),
    linkDestination: f('H FPDFLink_GetDest(H, H)'),
    linkQuads: f('int FPDFLink_CountQuadPoints(H)'),
    linkQuad: f('int FPDFLink_GetQuadPoints(H, int, P)'),
    actionType: f('ulong FPDFAction_GetType(H)'),
    actionUri: f('ulong FPDFAction_GetURIPath(H, H, P, ulong)'),
    actionDestination: f('H FPDFAction_GetDest(H, H)'),
    destinationPage: f('int FPDFDest_GetDestPageIndex(H, H)'),

    firstBookmark: f('H FPDFBookmark_GetFirstChild(H, H)'),
    nextBookmark: f('H FPDFBookmark_GetNextSibling(H, H)'),
    bookmarkTitle: f('ulong FPDFBookmark_GetTitle(H, P, ulong)'),
    bookmarkDestination: f('H FPDFBookmark_GetDest(H, H)'),

    structure: f('H FPDF_StructTree_GetForPage(H)'),
    closeStructure: f('void FPDF_StructTree_Close(H)'),
    structureCount: f('int FPDF_StructTree_CountChildren(H)'),
    structureChild: f('H FPDF_StructTree_GetChildAtIndex(H, int)'),
    elementType: f('ulong FPDF_StructElement_GetType(H, P, ulong)'),
    elementAlternative: f('ulong FPDF_StructElement_GetAltText(H, P, ulong)'),
    elementText: f('ulong FPDF_StructElement_GetActualText(H, P, ulong)'),
    elementCount: f('int FPDF_StructElement_CountChildren(H)'),
    elementChild: f('H FPDF_StructElement_GetChildAtIndex(H, int)'),
    elementChildContent: f('int FPDF_StructElement_GetChildMarkedContentID(H, int)'),
    attributeCount: f('int FPDF_StructElement_GetAttributeCount(H)'),
    attributes: f('H FPDF_StructElement_GetAttributeAtIndex(H, int)'),
    attributeValue: f('H FPDF_StructElement_Attr_GetValue(H, str)'),
    attributeNumber: f('int FPDF_StructElement_Attr_GetNumberValue(H, P)'),
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

/** An entry of the information dictionary (ISO 32000-1, 14.3.3); empty if there is none. */
export const propertyOf = (document: Handle, tag: string): string =>
  readUtf16((out, bytes) => pdfium().metadata(document, tag, out, bytes))
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 1000)

/** Reads UTF-8 or ASCII output without its terminator. */
export const readUtf8 = (reader: Reader): string => readBytes(reader).toString('utf8').replace(/\0+$/, '')
