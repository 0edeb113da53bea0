import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import type { Font } from '../../engines/fonts/sfnt/font.ts'
import { nameIds, nameOf } from '../../engines/fonts/sfnt/names.ts'
import { readFonts } from '../../engines/fonts/sfnt/read.ts'
import { writeSfnt } from '../../engines/fonts/sfnt/sfnt.ts'
import { writeWoff } from '../../engines/fonts/sfnt/woff.ts'
import { writeWoff2 } from '../../engines/fonts/sfnt/woff2.ts'
import { withCffOutlines, withTrueTypeOutlines } from './outlines.ts'

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
