import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Files of this folder as one input that ffmpeg reads one after the other: those of one codec, with the same parameters. */
export async function concatenated(
  folder: string,
  paths: readonly string[],
): Promise<{ input: string; demuxer: string }> {
  const input = join(folder, 'list.txt')
  const lines = paths.map(path => `file '${basename(path)}'`)
  await writeFile(input, ['ffconcat version 1.0', ...lines, ''].join('\n'))
  return { input, demuxer: 'concat' }
}
