import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from './model.ts'

export interface InstalledModel<M extends Model> {
  model: M
  path: string
  /** Of a folder, those of its download. */
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
      const found = await stat(path).catch(() => null)
      if (model.isFolder && found?.isDirectory()) return [{ model, path, bytes: model.bytes }]
      if (!model.isFolder && found?.isFile() && found.size > 0) return [{ model, path, bytes: found.size }]
    }
    return []
  })
  return (await Promise.all(found)).flat()
}
