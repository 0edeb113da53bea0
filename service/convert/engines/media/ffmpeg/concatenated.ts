import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * Files of this folder as one input that ffmpeg reads one after the other: those of one codec, with the same parameters.
 * @param files with the seconds after which the next one begins, unless it is at their end
 */
export async function concatenated(
  folder: string,
  files: readonly { path: string; seconds?: number | undefined }[],
): Promise<{ input: string; demuxer: string }> {
  const input = join(folder, 'list.txt')
  const lines = files.flatMap(({ path, seconds }) => [
    `file '${basename(path)}'`,
    ...(seconds === undefined ? [] : [`duration ${seconds.toFixed(6)}`]),
  ])
  await writeFile(input, ['ffconcat version 1.0', ...lines, ''].join('\n'))
  return { input, demuxer: 'concat' }
}
