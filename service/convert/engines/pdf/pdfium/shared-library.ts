import { createRequire } from 'node:module'
import type { LibraryHandle } from 'koffi'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { locatePdfium } from './locate.ts'

type Koffi = typeof import('koffi')

/**
 * PDFium's shared library, initialised; to be called once in a process.
 * @throws JobFailure engine_missing where there is none
 */
export function openPdfium(): { koffi: Koffi; library: LibraryHandle } {
  try {
    const found = locatePdfium()
    if (!found) throw new Error('PDFium is not installed')
    const koffi: Koffi = createRequire(import.meta.url)('koffi')
    // Its own FreeType is to be used, whatever other copy the process has; see dlopen(3) for RTLD_DEEPBIND.
    const library = koffi.load(found.path, { deep: process.platform === 'linux' })
    library.func('FPDF_InitLibrary', 'void', [])()
    return { koffi, library }
  } catch (error) {
    throw new JobFailure('jobs.engine_missing', message('pdf.engine_missing'), { cause: error })
  }
}
