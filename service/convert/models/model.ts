import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Something that can be downloaded on request: one file, published by others, with a known checksum. */
export interface Model {
  id: string
  /** In English. */
  name: string
  licence: string
  /** Its path below the folder of models, with slashes. */
  file: string
  /** Whether that is a folder. */
  isFolder?: boolean
  /** The download URL. */
  address: string
  /** Approximate size of the download. */
  bytes: number
  /** Maximum size of the download. */
  mostBytes: number
  checksum: { algorithm: 'sha1' | 'sha512'; hex: string }
  /** Creates the installed file from the verified download; without it, the download is installed as it is. */
  unpack?: (downloaded: string, path: string) => Promise<void>
}

/** What a language or a kind of files needs that Refile does not bring. */
export interface Pack extends Model {
  /** Whether this package of Refile has it, so that there is nothing to download. */
  isShipped?: () => boolean
  /** BCP 47 tag of a language of text recognition, whose `id` is Tesseract's name. */
  tag?: string
  /** English name of the script that a font is for. */
  script?: string
}

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
