/** Writes the languages of the tracks of a QuickTime file, of which ffmpeg only knows those that Macintosh had. */
import { open } from 'node:fs/promises'
import { below, boxesAt } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'

/**
 * @param languages ISO 639-2 codes of the tracks in their order; others are passed over
 */
export async function writeLanguages(path: string, languages: readonly (string | null)[]): Promise<void> {
  await using file = await open(path, 'r+')
  let track = 0
  for await (const trak of boxesAt(file, 'moov', 'trak')) {
    const language = languages[track++]
    if (!language || !/^[a-z]{3}$/.test(language)) continue
    for await (const { start } of below(file, trak, ['mdia', 'mdhd'])) {
      const [version] = await readAt(file, start, 1)
      // Five bits for each letter (QuickTime File Format, "Language Code Values").
      const code = Buffer.from(language).reduce((bits, letter) => bits * 32 + (letter & 31), 0)
      await file.write(Uint8Array.of(code >> 8, code & 255), 0, 2, start + (version === 1 ? 32 : 20))
    }
  }
}
