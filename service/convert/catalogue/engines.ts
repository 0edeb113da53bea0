/** The resources that a process of each engine needs, used to decide how many run at once. Contains no engine code. */
export interface EngineDeclaration {
  name: string
  /** Ids of the libraries and programs that it cannot work without, as named in their reports (`engines/index.ts`). */
  needs?: readonly string[]
  /** How many processes may run at once, over all converters of this engine. */
  atOnce: number
  /** Memory that a process is expected to need for an ordinary file; the memory limit stops one with a hostile file. */
  memoryBytes: number
  /** How long an idle process is kept, in milliseconds. */
  idleMs: number
  /** Whether it keeps little of the data that passes through it, so that what is no longer needed should be freed soon. */
  collectsOften?: boolean
  /** Whether it compiles so large a program that this is most of its start. */
  compilesMuch?: boolean
}

const MiB = 2 ** 20
const GiB = 2 ** 30

/** The engine sets no limit; only slots and memory do. */
const UNBOUNDED = Number.POSITIVE_INFINITY
/** Long enough for the next file of a batch, short enough to free the memory soon. */
const IDLE_MS = 30_000

const declare = <Name extends string>(
  name: Name,
  memoryBytes: number,
  {
    atOnce = UNBOUNDED,
    idleMs = IDLE_MS,
    needs = [],
    collectsOften = false,
    compilesMuch = false,
  }: Partial<Omit<EngineDeclaration, 'name' | 'memoryBytes'>> = {},
) => ({ name, needs, atOnce, memoryBytes, idleMs, collectsOften, compilesMuch })

/** All engines that a converter can name. */
export const engines = {
  // A 24-megapixel photo takes 100 to 700 MB, depending on the target.
  pixels: declare('pixels', 400 * MiB, { needs: ['sharp'] }),
  // Skottie holds the current frame and the previous one; the animation encoders hold little more.
  drawing: declare('drawing', 400 * MiB, { needs: ['skottie'] }),
  // LibRaw in WebAssembly holds the file, the sensor data and three 16-bit values for each pixel.
  raw: declare('raw', 900 * MiB, { atOnce: 4, needs: ['libraw'] }),
  // ffmpeg streams, with one process for each part of a long media file.
  ffmpeg: declare('ffmpeg', 200 * MiB, { needs: ['ffmpeg'] }),
  // Encoders hold some dozens of pictures: x264 takes 0.5 GB for 1080p, and four times as much for 4K.
  video: declare('video', 900 * MiB, { atOnce: 2, needs: ['ffmpeg'] }),
  // The largest offered model, plus the whole media file as 16 kHz floats; it also uses every core.
  speech: declare('speech', 3 * GiB, { atOnce: 1, idleMs: 10_000 }),
  // LibreOffice takes 0.5 GB after it has started, and 0.9 to 1.2 GB after converting a few kinds of documents. It takes
  // seconds to start, so an idle process is worth its memory for longer.
  office: declare('office', 1200 * MiB, { atOnce: 2, idleMs: 60_000, needs: ['office'], compilesMuch: true }),
  pdf: declare('pdf', 400 * MiB, { needs: ['pdfium'] }),
  // The file with its streams unpacked, as objects and in the memory of qpdf.
  'pdf-tools': declare('pdf-tools', 600 * MiB, { needs: ['pdfium', 'qpdf'] }),
  // Documents are trees of JavaScript objects, ten times as large as their XML. LibreOffice draws the Windows metafiles of a
  // document, which takes 0.7 GB meanwhile.
  markup: declare('markup', 250 * MiB, { needs: ['docx'] }),
  // Every value of a file is an object.
  data: declare('data', 300 * MiB),
  // Fonts and the last typeset content; a long document takes more.
  typst: declare('typst', 250 * MiB, { needs: ['typst'] }),
  // A book is held packed and unpacked, but only one of its documents as a tree.
  ebooks: declare('ebooks', 250 * MiB, { collectsOften: true }),
  fonts: declare('fonts', 150 * MiB),
  // Archives are streamed; LZMA needs its dictionary.
  archives: declare('archives', 250 * MiB, { needs: ['seven-zip'], collectsOften: true }),
} satisfies Record<string, EngineDeclaration>

/**
 * How pages and minutes are counted, which reads file headers, whatever engine converts them. An intact file takes a fraction of a second,
 * and one that takes the whole time counts as unmeasurable.
 */
export const measuring = {
  engine: declare('measuring', 150 * MiB, { atOnce: 2 }),
  queue: 'measure',
  timeoutMs: 8_000,
} as const

/** Making thumbnails of everything that does not need an engine as large as an office suite. */
export const showing: EngineDeclaration = declare('showing', 300 * MiB)

export type EngineName = keyof typeof engines

/** What became of a trial second of an encoder of video. */
export interface EncoderTrial {
  /** ffmpeg's name. */
  name: string
  /** Whether it is that of a graphics card. */
  hardware: boolean
  /** Frames of 1280 × 720 a second; null if it does not work on this machine. */
  fps: number | null
}
