import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { toCff } from '../../engines/fonts/outlines/to-cff.ts'
import { toTrueType } from '../../engines/fonts/outlines/to-truetype.ts'
import { type Font, flavors, tableOf } from '../../engines/fonts/sfnt/font.ts'
import { nameIds, nameOf } from '../../engines/fonts/sfnt/names.ts'
import { readFonts } from '../../engines/fonts/sfnt/read.ts'
import { writeSfnt } from '../../engines/fonts/sfnt/sfnt.ts'
import { writeWoff } from '../../engines/fonts/sfnt/woff.ts'
import { writeWoff2 } from '../../engines/fonts/sfnt/woff2.ts'

const hasCff = ({ tables }: Font) => tables.has('CFF ') || tables.has('CFF2')

/**
 * The font with TrueType outlines; existing ones are kept, and other ones of a variable font become its default style.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
function withTrueTypeOutlines(font: Font, warn: (warning: Message) => void): Font {
  if (!hasCff(font) || font.tables.has('glyf')) return { ...font, flavor: flavors.trueType }
  if (font.tables.has('fvar')) warn(message('font.variations_left_out'))
  return toTrueType(font)
}

/** Whether glyphs have curves or composites of no published version of OpenType (`glyphDataFormat` 1, `VARC`). */
const hasExtendedGlyphs = (font: Font) => font.tables.has('VARC') || tableOf(font, 'head').u16(52) !== 0

/**
 * The font with CFF outlines; existing ones are kept, a variable font becomes its default style, and a font with only bitmap
 * glyphs is unchanged.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
function withCffOutlines(font: Font, warn: (warning: Message) => void): Font {
  if (hasCff(font)) return { ...font, flavor: flavors.cff }
  if (font.tables.has('glyf')) {
    if (hasExtendedGlyphs(font))
      throw new JobFailure('jobs.unsupported_input', message('font.extended_glyphs'))
    if (font.tables.has('fvar')) warn(message('font.variations_left_out'))
    return toCff(font)
  }
  warn(message('font.no_outlines'))
  return font
}

/** Maximum size of all faces together; those of a collection may share tables. */
const OUTPUT_BYTES = 4 * 2 ** 30

/**
 * Converts every face of a font file to a separate output.
 * @throws JobFailure corrupt_input, unsupported_input, too_large, output_too_large
 */
export async function convert(task: Task): Promise<Output[]> {
  task.progress(0, 'preparing')
  const faces = await readFonts(await readFile(task.input.path))
  const outputs: Output[] = []
  let bytes = 0
  for (const [index, face] of faces.entries()) {
    task.progress(index / faces.length, 'converting')
    const path = join(task.folder, `face-${index}.${task.target}`)
    const file = await write(face, task)
    bytes += file.length
    if (bytes > OUTPUT_BYTES) throw new JobFailure('jobs.output_too_large')
    await writeFile(path, file)
    const name = faces.length > 1 ? nameOf(face, nameIds.postScript) : undefined
    outputs.push(name ? { path, name: `${name}.${task.target}` } : { path })
  }
  return outputs
}

function write(font: Font, { target, warn }: Task): Uint8Array | Promise<Uint8Array> {
  switch (target) {
    case 'ttf':
      return writeSfnt(withTrueTypeOutlines(font, warn))
    case 'otf':
      // The tables stay, but programs only use them in fonts with TrueType outlines.
      if (font.tables.has('Silf') && font.tables.has('glyf')) warn(message('font.graphite_unused'))
      return writeSfnt(withCffOutlines(font, warn))
    case 'woff':
      return writeWoff(font)
    default:
      return writeWoff2(font)
  }
}
