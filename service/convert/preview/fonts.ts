/** Previews of fonts: a sample, and files for browsers. */
import { readFile, writeFile } from 'node:fs/promises'
import type { TaskInput } from '../catalogue/task.ts'
import fonts from '../converters/fonts/index.ts'
import { lettersOf } from '../engines/fonts/fontkit/letters.ts'
import { readFonts } from '../engines/fonts/sfnt/read.ts'
import { writeSfnt } from '../engines/fonts/sfnt/sfnt.ts'
import { drawLetters } from '../engines/pictures/skia/letters.ts'
import { shownPixels, type UprightPicture, type Wanted } from './shown.ts'

export const isFont = (format: string): boolean =>
  fonts.some(({ sources }) => sources.some(source => source === format))

/** Two letters of the first face; undefined if it has none. @throws JobFailure */
export async function fontSample({ path }: TaskInput, { edge }: Wanted): Promise<UprightPicture | undefined> {
  const font = await firstFace(path)
  const letters = font && lettersOf(font)
  const pixels = letters ? drawLetters(font, letters, edge) : undefined
  return pixels && shownPixels(pixels, false)
}

/** Writes a font in a form that browsers load: as it is, or the first face of a collection. @throws JobFailure */
export async function browserFont({ path, format }: TaskInput, output: string): Promise<void> {
  const font = format === 'ttc' ? await firstFace(path) : await readFile(path)
  if (font) await writeFile(output, font)
}

/** The first face as a separate file, parsed and rebuilt by our own code before other libraries see it. */
async function firstFace(path: string): Promise<Buffer | undefined> {
  const [face] = await readFonts(await readFile(path))
  return face && writeSfnt(face)
}
