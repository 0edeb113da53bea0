/** How small the pictures of a PDF become, and which of these levels keeps a file within a size. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type Message, message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { PictureQuality } from '../../../engines/pdf/edit/index.ts'
import type { PdfToolOptions } from './tool-options.ts'

/** The levels that people choose by name. */
export const LEVELS: Record<PdfToolOptions['compression'], PictureQuality | undefined> = {
  none: undefined,
  best: { dpi: 300, quality: 88 },
  balanced: { dpi: 150, quality: 75 },
  small: { dpi: 100, quality: 55 },
}

/** All levels from best to smallest; nobody would choose the last ones but to stay within a size. */
const FALLING = [...Object.values(LEVELS), { dpi: 72, quality: 45 }, { dpi: 50, quality: 35 }]

/**
 * Converts with the first level, from one on, whose file has at most so many bytes; if none has, the smallest file and a warning.
 * @param convert writes one file, at the same path each time
 * @throws JobFailure as `convert` does
 */
export async function withinSize(
  task: Task<PdfToolOptions>,
  from: PictureQuality | undefined,
  most: number,
  convert: (task: Task<PdfToolOptions>, level: PictureQuality | undefined) => Promise<Output[]>,
): Promise<Output[]> {
  const levels = FALLING.slice(FALLING.indexOf(from))
  let best: { outputs: Output[]; bytes: Uint8Array; warnings: Message[] } | undefined
  for (const [index, level] of levels.entries()) {
    const warnings: Message[] = []
    const own = {
      ...task,
      // A size was asked for, not to save something.
      warn: (warning: Message) => warning.key !== 'same.kept' && warnings.push(warning),
      progress: (fraction: number) => task.progress((index + fraction) / levels.length, 'converting'),
    }
    const outputs = await convert(own, level)
    const { path } = outputs[0]!
    const { size } = await stat(path)
    if (size <= most) return warned(task, outputs, warnings)
    if (!best || size < best.bytes.length) best = { outputs, warnings, bytes: await readFile(path) }
  }
  const { outputs, bytes, warnings } = best!
  await writeFile(outputs[0]!.path, bytes)
  const kilobytes = { kilobytes: Math.ceil(bytes.length / 1000), most: Math.floor(most / 1000) }
  return warned(task, outputs, [...warnings, message('same.over_size', kilobytes)])
}

function warned(task: Task, outputs: Output[], warnings: readonly Message[]): Output[] {
  for (const warning of warnings) task.warn(warning)
  return outputs
}
