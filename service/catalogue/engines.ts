/** What a process of each engine takes, for whoever decides how many run at once. Holds no engine code. */
export interface EngineDeclaration {
  name: string
  /** Ids of the libraries and programs without which it does nothing, as their reports name them (`engines/index.ts`). */
  needs?: readonly string[]
  /** Processes that may run at once, over all converters of this engine. */
  atOnce: number
  /** Memory a process is expected to take at work on an ordinary file; a hostile one is stopped by the limit of memory. */
  memoryBytes: number
  /** How long an idle process is kept, in milliseconds. */
  idleMs: number
  /** Whether bytes only pass through it, so that what is no longer needed should go soon. */
  isStreaming?: boolean
}

const MiB = 2 ** 20
const GiB = 2 ** 30

/** The engine itself sets no bound, only the slots and the memory do. */
const UNBOUNDED = Number.POSITIVE_INFINITY
/** Long enough for the next file of a batch, short enough that the memory comes back soon. */
const IDLE_MS = 30_000

const declare = <Name extends string>(
  name: Name,
  memoryBytes: number,
  {
    atOnce = UNBOUNDED,
    idleMs = IDLE_MS,
    needs = [],
    isStreaming = false,
  }: { atOnce?: number; idleMs?: number; needs?: readonly string[]; isStreaming?: boolean } = {},
) => ({ name, needs, atOnce, memoryBytes, idleMs, isStreaming })

/** Every engine a converter can name. */
export const engines = {
  // A photograph of 24 megapixels takes 100 to 700 MB, by what it becomes.
  pixels: declare('pixels', 400 * MiB, { needs: ['sharp'] }),
  // Skottie holds the frame it draws and the one before; the encoders of animations hold little more.
  drawing: declare('drawing', 400 * MiB, { needs: ['skottie'] }),
  // LibRaw in WebAssembly holds the file, the sensor's values and 16 bits of three colours for each pixel.
  raw: declare('raw', 900 * MiB, { atOnce: 4, needs: ['libraw'] }),
  // ffmpeg streams, with one process for each part of a long recording.
  ffmpeg: declare('ffmpeg', 200 * MiB, { needs: ['ffmpeg'] }),
  // The largest model that is offered, with all of the recording as 16 kHz floats; it also takes every core.
  speech: declare('speech', 3 * GiB, { atOnce: 1, idleMs: 10_000 }),
  // LibreOffice holds 0.5 GB when it has started, and 0.9 to 1.2 with what it has compiled for a few kinds of documents. It
  // takes seconds to start, so that an idle one is worth its memory for longer.
  office: declare('office', 1200 * MiB, { atOnce: 2, idleMs: 60_000, needs: ['office'] }),
  pdf: declare('pdf', 400 * MiB, { needs: ['pdfium'] }),
  // Documents as trees of JavaScript objects, ten times as large as their XML. A document with drawings of Windows has LibreOffice
  // draw them, which takes 0.7 GB for as long as that lasts.
  markup: declare('markup', 250 * MiB, { needs: ['docx'] }),
  // Fonts and what was set last; a long document takes more.
  typst: declare('typst', 250 * MiB, { needs: ['typst'] }),
  ebooks: declare('ebooks', 250 * MiB),
  fonts: declare('fonts', 150 * MiB),
  // Archives are streamed; LZMA asks for its dictionary.
  archives: declare('archives', 250 * MiB, { needs: ['seven-zip'], isStreaming: true }),
} satisfies Record<string, EngineDeclaration>

/** Counting pages and minutes at intake, which reads heads of files, whatever engine converts them. */
export const measuring: EngineDeclaration = declare('measuring', 150 * MiB, { atOnce: 2 })

/** Making thumbnails of whatever needs no engine as large as an office suite. */
export const showing: EngineDeclaration = declare('showing', 300 * MiB)

export type EngineName = keyof typeof engines
