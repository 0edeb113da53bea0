import { createRequire } from 'node:module'
import { message } from '../../shared/messages/message.ts'
import { type EngineReport, ours, packaged, versioned } from './common/report.ts'
import type { PictureFacts } from './pictures/sharp/facts.ts'

export { FOUND_FFMPEG } from './media/ffmpeg/found.ts'

/** What a picture's header says about it, including its size; undefined for anything else. */
export const pictureSize = async (path: string): Promise<PictureFacts | undefined> =>
  (await import('./pictures/sharp/facts.ts')).factsOf(path)

const canvas = '@napi-rs/canvas'

/** Every engine's report, made only on request, in a worker. */
export const engineReports: Record<string, () => Promise<EngineReport>> = {
  sharp: versioned(
    'sharp',
    async () => (await import('./pictures/sharp/load.ts')).sharp.versions.sharp ?? null,
    message('engines.reinstall_for_platform'),
  ),
  ffmpeg: async () => (await import('./media/ffmpeg/locate.ts')).report(),
  whisper: packaged(
    'whisper.cpp',
    '@fugood/whisper.node',
    `@fugood/node-whisper-${process.platform}-${process.arch}`,
  ),
  pocketsphinx: async () => (await import('./media/pocketsphinx/pocketsphinx.ts')).report(),
  paf: ours('PARIS audio reader'),
  taglib: versioned('TagLib', async () => (await import('./media/taglib/tags.ts')).taglibVersion()),
  pict: packaged('QuickDraw (PICT)', canvas),
  psd: ours('Photoshop reader'),
  heif: ours('HEIF reader'),
  libheif: packaged('libheif', 'libheif-js'),
  libraw: packaged('LibRaw', 'libraw-wasm'),
  skottie: packaged('Skottie (Lottie animations)', canvas),
  animated: async () => (await import('./pictures/animated/report.ts')).report(),
  // PDFium and qpdf report no version of their own: LiteParse contains PDFium, and its version is given.
  pdfium: versioned('PDFium (PDF pages)', async () => {
    ;(await import('./pdf/pdfium/library.ts')).pdfium()
    return (await import('./pdf/pdfium/locate.ts')).locatePdfium()?.version ?? null
  }),
  qpdf: versioned('qpdf (PDF files)', async () => {
    createRequire(import.meta.url).resolve('@neslinesli93/qpdf-wasm')
    return '12.2.0'
  }),
  docx: ours('Word reader'),
  typst: packaged('Typst (Markdown to PDF)', '@myriaddreamin/typst-ts-node-compiler'),
  resvg: packaged('resvg (SVG drawings)', '@resvg/resvg-js'),
  ocr: packaged('Tesseract (text recognition)', 'tesseract.js-core'),
  ebooks: ours('Ebook converter'),
  fonts: ours('Font converter'),
  magick: versioned('ImageMagick (WebAssembly)', async () =>
    (await import('./pictures/magick/read.ts')).magickVersion(),
  ),
  vectorizer: packaged('VTracer (pictures to drawings)', '@neplex/vectorizer'),
  'seven-zip': async () => (await import('./archives/seven-zip/program.ts')).report(),
  office: async () => (await import('./documents/office/version.ts')).report(),
}
