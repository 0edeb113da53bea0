import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * Files of this folder as one input that ffmpeg reads one after the other: those of one codec, with the same parameters.
 * @param seconds after which of each the next one begins, unless it is at its end
 */
export async function concatenated(
  folder: string,
  paths: readonly string[],
  seconds: readonly (number | undefined)[] = [],
): Promise<{ input: string; demuxer: string }> {
  const input = join(folder, 'list.txt')
  const lines = paths.flatMap((path, index) => [
    `file '${basename(path)}'`,
    ...(seconds[index] === undefined ? [] : [`duration ${seconds[index].toFixed(6)}`]),
  ])
  await writeFile(input, ['ffconcat version 1.0', ...lines, ''].join('\n'))
  return { input, demuxer: 'concat' }
}
