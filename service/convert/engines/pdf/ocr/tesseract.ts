/** Runs Tesseract in a separate thread: loads its languages, then reads one page after another. */
import { parentPort } from 'node:worker_threads'
import create, { type TessBaseAPI, type Tesseract } from 'tesseract.js-core/tesseract-core-simd-lstm.js'
import type { ThreadResult } from '../../common/thread-result.ts'
import type { Language } from './data.ts'
import { linesOf } from './hocr.ts'
import { addMissed } from './missed.ts'
import { type DrawnPage, greymap, type ReadLine } from './model.ts'

/** A page, with its lines if only what they miss is to be read. */
export interface ToRead {
  page: DrawnPage
  lines?: ReadLine[] | undefined
}

export interface ReaderInput {
  wasm: WebAssembly.Module
  languages: readonly Language[]
}

/** Tesseract's modes of page segmentation. */
const [WHOLE_PAGE, SINGLE_LINE] = [3, 7] as const
/** White around a part that is read alone, in pixels, and the confidence from which it counts. */
const MARGIN = 8
const SURE = 0.7

const silent = () => {}

/** Loads the languages. After the reply, every message is what there is to read. */
export async function serve({ wasm, languages }: ReaderInput): Promise<ThreadResult<null>> {
  const tesseract = await create({
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      done(instance)
      return instance.exports
    },
    TesseractProgress: silent,
    print: silent,
    printErr: silent,
  })
  for (const { name, data } of languages) tesseract.FS.writeFile(`/${name}.traineddata`, data)
  const api = new tesseract.TessBaseAPI()
  if (api.Init('/', languages.map(({ name }) => name).join('+'), 1) !== 0)
    throw new Error('Tesseract does not accept the language data')
  api.SetPageSegMode(WHOLE_PAGE)
  parentPort?.on('message', (page: ToRead) => {
    try {
      parentPort?.postMessage({ answer: read(tesseract, api, page) })
    } catch (error) {
      parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
    }
  })
  return { answer: null, transfer: [] }
}

function read({ FS }: Tesseract, api: TessBaseAPI, { page, lines }: ToRead): ReadLine[] {
  api.SetVariable('user_defined_dpi', String(Math.round(page.dpi)))
  api.SetVariable('tessedit_char_blacklist', page.unlike ?? '')
  FS.writeFile('/input', greymap(page))
  try {
    if (api.SetImageFile(1, 0) !== 0 || (!lines && api.Recognize(null) !== 0))
      throw new Error('Tesseract did not read the page')
    return addMissed(lines ?? linesIn(api), page, ({ x, y, width: across, height: down }) => {
      api.SetPageSegMode(SINGLE_LINE)
      const left = Math.max(0, x - MARGIN)
      const top = Math.max(0, y - MARGIN)
      api.SetRectangle(left, top, across + 2 * MARGIN, down + 2 * MARGIN)
      const words = api.Recognize(null) === 0 ? linesIn(api).flatMap(line => line.words) : []
      const isSure = words.every(({ confidence }) => confidence >= SURE)
      return isSure && /^[\p{L}\p{N}]/u.test(words[0]?.text ?? '') ? words : []
    })
  } finally {
    api.SetPageSegMode(WHOLE_PAGE)
    api.Clear()
    FS.unlink('/input')
  }
}

const linesIn = (api: TessBaseAPI): ReadLine[] => linesOf(api.GetHOCRText(0))
