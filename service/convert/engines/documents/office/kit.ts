/** Runs LibreOffice in a separate thread: starts it, then converts one document after another. */
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { ThreadResult } from '../../common/thread-result.ts'
import { type Soffice, startSoffice } from './module.ts'
import { SUBSTITUTES_PATH, substitutes } from './substitutes.ts'

export interface KitInput {
  /** Folder of the program. */
  folder: string
  wasm: WebAssembly.Module
  /** Font files to add to those of the program. */
  fonts: readonly string[]
}

export interface KitRequest {
  document: Uint8Array
  /** Such as `docx`; helps LibreOffice to detect the format. */
  suffix: string
  /** Suffix of the format to save it in. */
  target: string
  /** Options of the export: for PDF, JSON. */
  filter: string
}

/** The saved file, or the error message if the program could not load or save the document. */
export type KitAnswer = { file: Uint8Array } | { step: 'load' | 'save'; problem: string }

/** Folders the program expects. */
const FOLDERS = [
  ...[
    '/tmp',
    '/tmp/input',
    '/tmp/output',
    '/instdir/user',
    '/instdir/user/registry',
    '/instdir/user/registry/data',
  ],
  ...['/instdir/user/temp', '/instdir/user/temp/embeddedfonts'],
  ...['/instdir/user/temp/embeddedfonts/fromdocs', '/instdir/user/temp/embeddedfonts/fromsystem'],
]
const FONT_FOLDER = '/instdir/share/fonts/truetype'

/** Initial and maximum memory of the program; the rest of the 4 GB is for everything else in the process. */
const PAGE_BYTES = 65_536
const INITIAL_BYTES = 2 ** 30
const LIMIT_BYTES = 3 * 2 ** 30

/** Disables dialogs, which nobody could answer. Macros do not run, since nothing here allows them. */
const LOAD_OPTIONS = 'Batch=true'

/** Starts the program. After the reply, every message is a document to convert. */
export async function serve({ folder, wasm, fonts }: KitInput): Promise<ThreadResult<null>> {
  const memory = new WebAssembly.Memory({
    initial: INITIAL_BYTES / PAGE_BYTES,
    maximum: LIMIT_BYTES / PAGE_BYTES,
    shared: true,
  })
  const soffice = await startSoffice({ folder, wasm, memory })
  for (const path of FOLDERS) makeFolder(soffice, path)
  soffice.FS.writeFile(SUBSTITUTES_PATH, Buffer.from(substitutes()))
  for (const [index, path] of fonts.entries()) addFont(soffice, path, index)
  const texts = new Texts(soffice, memory)
  const kit = texts.use(['/instdir/program'], path => soffice._libreofficekit_hook(path))
  if (!kit) throw new Error('the office engine did not start')

  parentPort?.on('message', (request: KitRequest) => {
    try {
      const answer = convert(soffice, texts, kit, request)
      parentPort?.postMessage({ answer }, 'file' in answer ? [answer.file.buffer as ArrayBuffer] : [])
    } catch (error) {
      parentPort?.postMessage({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
  })
  return { answer: null, transfer: [] }
}

function makeFolder({ FS }: Soffice, path: string): void {
  try {
    FS.mkdir(path)
  } catch {
    // The folder already exists.
  }
}

/** Adds a font; one that cannot be read is ignored. */
function addFont({ FS }: Soffice, path: string, index: number): void {
  try {
    FS.writeFile(`${FONT_FOLDER}/added-${index}.ttf`, readFileSync(path))
  } catch {}
}

function convert({ FS, ...soffice }: Soffice, texts: Texts, kit: number, request: KitRequest): KitAnswer {
  const input = `/tmp/input/document.${request.suffix}`
  const output = `/tmp/output/document.${request.target}`
  FS.writeFile(input, request.document)
  try {
    const document = texts.use([`file://${input}`, LOAD_OPTIONS], (url, options) =>
      soffice._lok_documentLoadWithOptions(kit, url, options),
    )
    if (!document) return { step: 'load', problem: texts.read(soffice._lok_getError(kit)) }
    try {
      const saved = texts.use([`file://${output}`, request.target, request.filter], (url, format, filter) =>
        soffice._lok_documentSaveAs(document, url, format, filter),
      )
      if (!saved) return { step: 'save', problem: texts.read(soffice._lok_getError(kit)) }
      return { file: FS.readFile(output) }
    } finally {
      soffice._lok_documentDestroy(document)
    }
  } finally {
    for (const folder of ['/tmp/input', '/tmp/output']) {
      for (const name of FS.readdir(folder)) if (!name.startsWith('.')) FS.unlink(`${folder}/${name}`)
    }
  }
}

/** C strings in the memory of the program. */
class Texts {
  readonly #soffice: Soffice
  readonly #memory: WebAssembly.Memory

  constructor(soffice: Soffice, memory: WebAssembly.Memory) {
    this.#soffice = soffice
    this.#memory = memory
  }

  /** Calls a function with pointers to texts, which are freed when it returns. */
  use<T>(texts: readonly string[], call: (...pointers: [number, number, number]) => T): T {
    const pointers = texts.map(text => this.#write(text))
    try {
      return call(...(pointers as [number, number, number]))
    } finally {
      for (const pointer of pointers) this.#soffice._free(pointer)
    }
  }

  read(pointer: number): string {
    if (!pointer) return ''
    const bytes = new Uint8Array(this.#memory.buffer)
    return Buffer.from(bytes.slice(pointer, bytes.indexOf(0, pointer))).toString('utf8')
  }

  #write(text: string): number {
    const bytes = Buffer.from(`${text}\0`, 'utf8')
    const pointer = this.#soffice._malloc(bytes.length)
    // A new view each time, since the memory may have grown.
    new Uint8Array(this.#memory.buffer).set(bytes, pointer)
    return pointer
  }
}
