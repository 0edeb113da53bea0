import type { EngineReport } from './report.ts'
import type { PictureFacts } from './sharp/facts.ts'

export { FOUND_FFMPEG } from './ffmpeg/found.ts'

/** What a picture's header says about it, including its size; undefined for anything else. */
export const pictureSize = async (path: string): Promise<PictureFacts | undefined> =>
  (await import('./sharp/facts.ts')).factsOf(path)

/** Every engine's report, loaded only on request, in a worker. */
export const engineReports: Record<string, () => Promise<EngineReport>> = {
  sharp: async () => (await import('./sharp/report.ts')).report(),
  ffmpeg: async () => (await import('./ffmpeg/locate.ts')).report(),
  whisper: async () => (await import('./whisper/whisper.ts')).report(),
  pocketsphinx: async () => (await import('./pocketsphinx/pocketsphinx.ts')).report(),
  paf: async () => (await import('./paf/paf.ts')).report(),
  taglib: async () => (await import('./taglib/tags.ts')).report(),
  pict: async () => (await import('./pict/index.ts')).report(),
  psd: async () => (await import('./psd/index.ts')).report(),
  heif: async () => (await import('./heif/index.ts')).report(),
  libheif: async () => (await import('./libheif/index.ts')).report(),
  libraw: async () => (await import('./libraw/index.ts')).report(),
  skottie: async () => (await import('./skottie/index.ts')).report(),
  animated: async () => (await import('./animated/report.ts')).report(),
  pdfium: async () => (await import('./pdfium/report.ts')).report(),
  qpdf: async () => (await import('./qpdf/index.ts')).report(),
  docx: async () => (await import('./docx/report.ts')).report(),
  typst: async () => (await import('./typst/index.ts')).report(),
  resvg: async () => (await import('./svg/report.ts')).report(),
  ocr: async () => (await import('./ocr/report.ts')).report(),
  ebooks: async () => (await import('./book/report.ts')).report(),
  fonts: async () => (await import('./sfnt/report.ts')).report(),
  magick: async () => (await import('./magick/report.ts')).report(),
  'seven-zip': async () => (await import('./seven-zip/program.ts')).report(),
  office: async () => (await import('./office/report.ts')).report(),
}
