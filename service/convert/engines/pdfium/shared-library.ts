import koffi, { type LibraryHandle } from 'koffi'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { locatePdfium } from './locate.ts'

export { koffi }

let opened: LibraryHandle | undefined

/**
 * PDFium's shared library, opened and initialised once in a process; everybody here shares it.
 * @throws JobFailure engine_missing where there is none
 */
export function openPdfium(): LibraryHandle {
  opened ??= open()
  return opened
}

function open(): LibraryHandle {
  const found = locatePdfium()
  if (!found) throw new JobFailure('jobs.engine_missing', message('pdf.engine_missing'))
  // Its own FreeType is to be used, whatever other copy the process has; see dlopen(3) for RTLD_DEEPBIND.
  const library = koffi.load(found.path, { deep: process.platform === 'linux' })
  library.func('FPDF_InitLibrary', 'void', [])()
  return library
}
