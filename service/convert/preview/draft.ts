/** Shows what becomes of a picture sooner than a conversion can: of a copy that is no larger than what is looked at. */
import { rename } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import type { Converter } from '../catalogue/converter.ts'
import type { Comparison } from '../catalogue/preview.ts'
import { runConverter } from '../catalogue/run.ts'
import type { Options, TaskInput } from '../catalogue/task.ts'
import images from '../converters/images/index.ts'
import { converters } from '../converters/index.ts'
import { smallOf } from './kept.ts'
import { isPicture } from './pictures.ts'

/** Targets that browsers show as they are. */
const shownAsIs = new Set(['avif', 'jpg', 'png', 'webp'])

/** Options that are about the pixels of the file itself, and so say nothing about a copy. */
const ofPixels = new Set(['density', 'frame', 'pages', 'resize', 'targetSize'])

/** Only the picture of the result: neither its size nor its likeness are those of the whole. @throws JobFailure */
export async function draft(
  { input, folder, shown }: { input: TaskInput; folder: string; shown: string },
  { converter: { target }, options }: { converter: Converter; options: Options },
): Promise<Comparison> {
  const converter = images.find(each => each.source === 'png' && each.target === target)
  if (!converter || !shownAsIs.has(target) || !isPicture(input.format))
    throw new JobFailure('jobs.unsupported_input')
  const path = join(folder, 'small.png')
  const { size } = await (await smallOf(input, folder)).clone().png({ compressionLevel: 0 }).toFile(path)
  const small: TaskInput = { path, name: 'small.png', stem: 'small', bytes: size, format: 'png' }
  const known = Object.fromEntries(
    Object.entries(options).filter(([name]) => name in converter.options && !ofPixels.has(name)),
  )
  const [output] = await runConverter(converter, small, known, { folder, converters })
  if (!output) throw new JobFailure('jobs.corrupt_input')
  const file = `after${extname(output.path)}`
  await rename(output.path, join(shown, file))
  const after = { kind: 'picture', file, width: null, height: null } as const
  return { before: null, after, bytes: null, isEstimate: true, ssim: null }
}
