import { stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type SpeechModel, speechModels } from './list.ts'

export interface InstalledModel {
  model: SpeechModel
  path: string
  bytes: number
}

/** The folders of models a worker is told of by REFILE_MODELS, the downloaded ones first. */
export const modelFolders = (env: NodeJS.ProcessEnv = process.env): string[] =>
  (env.REFILE_MODELS ?? '').split(delimiter).filter(folder => folder !== '')

/** The models of `list` that lie in `folders`; the first of several copies. */
export async function installedModels(
  folders: readonly string[],
  list: readonly SpeechModel[] = speechModels,
): Promise<InstalledModel[]> {
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
