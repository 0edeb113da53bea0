import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { writeBundle } from '../service/convert/catalogue/bundle.ts'
import { splitName } from '../service/convert/catalogue/formats.ts'

/** Writes the input of a job that joins files, as intake does. */
export async function bundled(path: string, files: readonly string[]): Promise<string> {
  const members = files.map(async file => ({
    name: basename(file),
    format: splitName(file).format!,
    bytes: (await stat(file)).size,
    open: async () => createReadStream(file),
  }))
  await writeBundle(path, await Promise.all(members))
  return path
}
