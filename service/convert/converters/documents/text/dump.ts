/** Shows developers what was read of a document. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from '../../../engines/documents/model.ts'

/** Writes the model as JSON into the folder that `REFILE_DUMP` names, if there is one. @returns the document */
export async function dumped(document: Document, name: string): Promise<Document> {
  const folder = process.env.REFILE_DUMP
  if (folder) {
    const json = JSON.stringify(
      document,
      (_, value) => (value instanceof Map ? Object.fromEntries(value) : value),
      2,
    )
    await writeFile(join(folder, `${name}.json`), json)
  }
  return document
}
