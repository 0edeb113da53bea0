import { ZipArchive } from '../../archives/zip.ts'

/** A video or sound of a picture on a slide, which has its link and the one of later versions (ECMA-376 part 1, 19.3 and 20.1.3). */
const MEDIA =
  /<a:(?:videoFile|audioFile|quickTimeFile|wavAudioFile|audioCd)\b[^<>]*\/>|<p14:media\b[^<>]*\/>/g

/** A slide without its video and audio, so that LibreOffice shows the pictures that stand for them. @param xml bytes as Latin-1 */
export const withoutMedia = (xml: string): string => xml.replace(MEDIA, '')

/** Largest main part that is read for its list of slides. */
const PRESENTATION_BYTES = 16 * 2 ** 20

/**
 * Number of slides of a .pptx file, from the list in its main part; undefined if there is none, as in an encrypted file.
 * @throws JobFailure corrupt_input
 */
export async function countSlides(path: string): Promise<number | undefined> {
  await using archive = await ZipArchive.open(path)
  const main = archive.find('ppt/presentation.xml')
  if (!main) return undefined
  const xml = (await archive.read(main, PRESENTATION_BYTES)).toString('latin1')
  return xml.match(/<(?:\w+:)?sldId\s/g)?.length ?? 0
}
