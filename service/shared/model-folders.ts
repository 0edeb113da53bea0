import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** The model folders that a worker gets in REFILE_MODELS, the downloaded ones first. */
export const modelFolders = (): string[] => (process.env.REFILE_MODELS ?? '').split(delimiter).filter(Boolean)

/** The package of LibreOffice, which small packages of Refile leave out, and its folder below one of models. */
export const libreOfficePackage = ['@matbee', 'libreoffice-converter', '2.7.2'] as const
export const libreOfficeFile = `libreoffice-${libreOfficePackage[2]}`

const { resolve } = createRequire(import.meta.url)

/** Paths that a file of a package may have where Refile brings it. */
const shippedPaths = (file: string) => (resolve.paths(file) ?? []).map(folder => join(folder, file))

/** The path of a file of a package, by its name and its place there; undefined where Refile comes without it. */
export const shippedFile = (file: string): string | undefined =>
  shippedPaths(file).find(path => existsSync(path))

/** Folder of LibreOffice's program: that which ships, or the first in these folders of models. */
export const libreOfficeFolder = (folders: readonly string[] = modelFolders()): string | undefined =>
  [
    ...shippedPaths(join(...libreOfficePackage.slice(0, 2), 'wasm')),
    ...folders.map(folder => join(folder, libreOfficeFile)),
  ].find(folder => existsSync(join(folder, 'soffice.wasm')))
