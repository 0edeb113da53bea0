/**
 * Runs LibreOffice, compiled to WebAssembly, in the calling thread. The loader of the package is not used: it holds the
 * program in memory twice, starts `main()` next to the kit, which can deadlock, and reads the disk through a fake
 * XMLHttpRequest. Here the program's script has no file system, no network and no environment; it sees only the files
 * that are written into its memory.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { Worker as Thread, type WorkerOptions } from 'node:worker_threads'

/** The part of Emscripten's file system that is used: https://emscripten.org/docs/api_reference/Filesystem-API.html */
interface MemoryFiles {
  mkdir(path: string): void
  writeFile(path: string, data: Uint8Array): void
  readFile(path: string): Uint8Array<ArrayBuffer>
  readdir(path: string): string[]
  unlink(path: string): void
}

/** The part of LibreOfficeKit (LibreOfficeKit.h) that the build exports; pointers are numbers, and 0 means failure. */
export interface Soffice {
  FS: MemoryFiles
  _malloc(bytes: number): number
  _free(pointer: number): void
  _libreofficekit_hook(installPath: number): number
  _lok_documentLoadWithOptions(kit: number, url: number, options: number): number
  _lok_documentSaveAs(document: number, url: number, format: number, options: number): number
  _lok_documentDestroy(document: number): void
  _lok_getError(kit: number): number
}

interface Startup {
  /** Folder of the package's `wasm/`. */
  folder: string
  /** `soffice.wasm`, compiled. */
  wasm: WebAssembly.Module
  memory: WebAssembly.Memory
}

const PACKAGE = 'soffice.data'
const SCRIPT = 'soffice.cjs'

/** Number of threads that are created before the program starts; it creates more when it needs them. */
const POOL = { declared: 'var pthreadPoolSize=4', used: 'var pthreadPoolSize=1' }

/** The program's threads run the scripts of the package without environment variables or flags. */
const threadIn = (folder: string) =>
  class extends Thread {
    constructor(script: string, options: WorkerOptions = {}) {
      super(join(folder, basename(script)), { ...options, env: {}, argv: [], execArgv: [] })
    }
  }

/** The modules that the program's script requires, reduced to what it needs. */
function modulesFor(folder: string): Record<string, object> {
  return {
    // The script uses these to detect that it is the main script, and to start its threads.
    worker_threads: { Worker: threadIn(folder), isMainThread: false, workerData: null },
    // Its files are in memory.
    fs: {},
    path: {
      dirname: () => '/',
      normalize: (path: string) => path,
      join: (...parts: string[]) => parts.join('/'),
    },
    // One processor, to leave the others to other jobs.
    os: { cpus: () => [{}] },
    crypto: { randomFillSync: (view: Uint8Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(view) },
  }
}

/** Starts the program; resolves when its functions can be called. */
export async function startSoffice({ folder, wasm, memory }: Startup): Promise<Soffice> {
  const { promise, resolve: ready, reject } = Promise.withResolvers<Soffice>()
  const path = join(folder, SCRIPT)
  const script = readFileSync(path, 'utf8')
  if (!script.includes(POOL.declared)) throw new Error('the program of the office engine has changed')
  const data = readFileSync(join(folder, PACKAGE))
  const module = {
    // `main()` would run in a separate thread, concurrently with the calls from here.
    noInitialRun: true,
    wasmMemory: memory,
    locateFile: (name: string) => join(folder, name),
    getPreloadedPackage: () => data.buffer,
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, wasm: object) => void,
    ) {
      WebAssembly.instantiate(wasm, imports).then(instance => done(instance, wasm), reject)
      return {}
    },
    print: () => {},
    printErr: () => {},
    onRuntimeInitialized: () => ready(module as unknown as Soffice),
    onAbort: (reason: unknown) => reject(new Error(`the office engine stopped: ${reason}`)),
  }
  const modules = modulesFor(folder)
  const requireFor = (name: string) => {
    const found = modules[name]
    if (!found) throw new Error(`the office engine may not use ${name}`)
    return found
  }
  // The script reads its settings from this global.
  Object.assign(globalThis, { Module: module })
  const run = compileFunction(
    script.replace(POOL.declared, POOL.used),
    ['require', 'module', '__filename', '__dirname'],
    { filename: path },
  ) as (require: typeof requireFor, module: object, filename: string, dirname: string) => void
  run(requireFor, { exports: {} }, path, folder)
  return promise
}
