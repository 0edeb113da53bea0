/**
 * PDFium's C interface (fpdfview.h, fpdf_formfill.h, fpdf_text.h, fpdf_save.h), called in this process through koffi. It is
 * single-threaded.
 */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

/** An object of PDFium: a document, a page, a bitmap. Null if a call failed. */
export type Handle = unknown

/** The functions used here, by the names PDFium gives them. */
export interface Pdfium {
  FPDF_GetLastError(): number
  FPDF_LoadDocument(path: string, password: string | null): Handle
  /** The bytes must be kept as long as the document is open. */
  FPDF_LoadMemDocument64(bytes: Uint8Array, count: number, password: string | null): Handle
  FPDF_CloseDocument(document: Handle): void
  FPDF_GetPageCount(document: Handle): number
  FPDF_GetPageSizeByIndexF(document: Handle, index: number, size: Float32Array): number
  FPDF_GetFormType(document: Handle): number
  /** -1 if the document is not protected. */
  FPDF_GetSecurityHandlerRevision(document: Handle): number
  FPDF_LoadPage(document: Handle, index: number): Handle
  FPDF_ClosePage(page: Handle): void
  FPDF_GetPageWidthF(page: Handle): number
  FPDF_GetPageHeightF(page: Handle): number
  /** Where a point of the page is in a drawing of that place, size and rotation; fills in whole numbers. */
  FPDF_PageToDevice(
    page: Handle,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: Int32Array,
    deviceY: Int32Array,
  ): number
  FPDFBitmap_CreateEx(width: number, height: number, format: number, data: Uint8Array, stride: number): Handle
  FPDFBitmap_FillRect(
    bitmap: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    argb: number,
  ): number
  FPDFBitmap_Destroy(bitmap: Handle): void
  FPDF_RenderPageBitmap(
    bitmap: Handle,
    page: Handle,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFDOC_InitFormFillEnvironment(document: Handle, info: Uint8Array): Handle
  FPDFDOC_ExitFormFillEnvironment(form: Handle): void
  FORM_OnAfterLoadPage(page: Handle, form: Handle): void
  FORM_OnBeforeClosePage(page: Handle, form: Handle): void
  FPDF_FFLDraw(
    form: Handle,
    bitmap: Handle,
    page: Handle,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFText_LoadPage(page: Handle): Handle
  FPDFText_ClosePage(text: Handle): void
  FPDFText_CountChars(text: Handle): number
  /** The character at a point, within the given distances; below 0 if there is none. */
  FPDFText_GetCharIndexAtPos(text: Handle, x: number, y: number, across: number, along: number): number
  /** Clockwise, in radians; below 0 if unknown. */
  FPDFText_GetCharAngle(text: Handle, index: number): number
  FPDFText_CountRects(text: Handle, start: number, count: number): number
  /** Fills in the corners, each a double. */
  FPDFText_GetRect(
    text: Handle,
    index: number,
    left: Float64Array,
    top: Float64Array,
    right: Float64Array,
    bottom: Float64Array,
  ): number
  /** Writes as many UTF-16 units as fit. */
  FPDFText_GetBoundedText(
    text: Handle,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: Uint16Array | null,
    length: number,
  ): number
  FPDF_SaveAsCopy(document: Handle, write: object, flags: number): number
}

const pointer = 'void *'
const int = 'int'

const signatures: Record<Exclude<keyof Pdfium, 'FPDF_SaveAsCopy'>, [result: string, parameters: string[]]> = {
  FPDF_GetLastError: ['ulong', []],
  FPDF_LoadDocument: [pointer, ['str', 'str']],
  FPDF_LoadMemDocument64: [pointer, [pointer, 'size_t', 'str']],
  FPDF_CloseDocument: ['void', [pointer]],
  FPDF_GetPageCount: [int, [pointer]],
  FPDF_GetPageSizeByIndexF: [int, [pointer, int, pointer]],
  FPDF_GetFormType: [int, [pointer]],
  FPDF_GetSecurityHandlerRevision: [int, [pointer]],
  FPDF_LoadPage: [pointer, [pointer, int]],
  FPDF_ClosePage: ['void', [pointer]],
  FPDF_GetPageWidthF: ['float', [pointer]],
  FPDF_GetPageHeightF: ['float', [pointer]],
  FPDF_PageToDevice: [int, [pointer, int, int, int, int, int, 'double', 'double', pointer, pointer]],
  FPDFBitmap_CreateEx: [pointer, [int, int, int, pointer, int]],
  FPDFBitmap_FillRect: [int, [pointer, int, int, int, int, 'ulong']],
  FPDFBitmap_Destroy: ['void', [pointer]],
  FPDF_RenderPageBitmap: ['void', [pointer, pointer, int, int, int, int, int, int]],
  FPDFDOC_InitFormFillEnvironment: [pointer, [pointer, pointer]],
  FPDFDOC_ExitFormFillEnvironment: ['void', [pointer]],
  FORM_OnAfterLoadPage: ['void', [pointer, pointer]],
  FORM_OnBeforeClosePage: ['void', [pointer, pointer]],
  FPDF_FFLDraw: ['void', [pointer, pointer, pointer, int, int, int, int, int, int]],
  FPDFText_LoadPage: [pointer, [pointer]],
  FPDFText_ClosePage: ['void', [pointer]],
  FPDFText_CountChars: [int, [pointer]],
  FPDFText_GetCharIndexAtPos: [int, [pointer, 'double', 'double', 'double', 'double']],
  FPDFText_GetCharAngle: ['float', [pointer, int]],
  FPDFText_CountRects: [int, [pointer, int, int]],
  FPDFText_GetRect: [int, [pointer, int, pointer, pointer, pointer, pointer]],
  FPDFText_GetBoundedText: [int, [pointer, 'double', 'double', 'double', 'double', pointer, int]],
}

interface Loaded {
  pdfium: Pdfium
  /** Makes PDFium write a document, piece by piece, to `write`. */
  save(document: Handle, flags: number, write: (piece: Buffer) => void): boolean
}

let loaded: Promise<Loaded> | undefined

/**
 * PDFium, loaded once per process.
 * @throws JobFailure engine_missing
 */
export function loadPdfium(): Promise<Loaded> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Loaded> {
  try {
    const { koffi, openPdfium } = await import('./shared-library.ts')
    const library = openPdfium()
    const bound = Object.entries(signatures).map(([name, [result, parameters]]) => [
      name,
      library.func(name, result, parameters),
    ])
    const writeBlock = koffi.pointer(koffi.proto('int (void *self, const void *data, ulong size)'))
    const fileWrite = koffi.struct({ version: int, WriteBlock: writeBlock })
    bound.push([
      'FPDF_SaveAsCopy',
      library.func('FPDF_SaveAsCopy', int, [pointer, koffi.pointer(fileWrite), 'ulong']),
    ])
    const pdfium = Object.fromEntries(bound) as Pdfium
    return {
      pdfium,
      save(document, flags, write) {
        const block = koffi.register((_self: unknown, data: unknown, size: number) => {
          write(Buffer.from(koffi.view(data, size).slice(0)))
          return 1
        }, writeBlock)
        try {
          return pdfium.FPDF_SaveAsCopy(document, { version: 1, WriteBlock: block }, flags) !== 0
        } finally {
          koffi.unregister(block)
        }
      },
    }
  } catch (error) {
    if (error instanceof JobFailure) throw error
    throw new JobFailure('jobs.engine_missing', message('pdf.engine_missing'), { cause: error })
  }
}
