import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from './model.ts'

export interface InstalledModel<M extends Model> {
  model: M
  path: string
  bytes: number
}

/** The models of `list` that exist in `folders`; the first of several copies. */
export async function installedModels<M extends Model>(
  folders: readonly string[],
  list: readonly M[],
): Promise<InstalledModel<M>[]> {
  const found = list.map(async model => {
    for (const folder of folders) {
      const path = join(folder, model.file)
      const file = await stat(path).catch(() => null)
      if (file?.isFile() && file.size > 0) return [{ model, path, bytes: file.size }]
    }
    return []
  })
  return (await Promise.all(found)).flat()
}
