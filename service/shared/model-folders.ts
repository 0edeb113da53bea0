import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** The model folders that a worker gets in REFILE_MODELS, the downloaded ones first. */
export const modelFolders = (): string[] => (process.env.REFILE_MODELS ?? '').split(delimiter).filter(Boolean)

/** The package of LibreOffice, which small packages of Refile leave out, and its folder below one of models. */
export const libreOfficePackage = ['@matbee', 'libreoffice-converter', '2.7.2'] as const
export const libreOfficeFile = `libreoffice-${libreOfficePackage[2]}`

const { resolve } = createRequire(import.meta.url)
const [scope, name] = libreOfficePackage

/** Folder of LibreOffice's program: that which ships, or the first in these folders of models. */
export const libreOfficeFolder = (folders: readonly string[] = modelFolders()): string | undefined =>
  [
    ...(resolve.paths(scope) ?? []).map(folder => join(folder, scope, name, 'wasm')),
    ...folders.map(folder => join(folder, libreOfficeFile)),
  ].find(folder => existsSync(join(folder, 'soffice.wasm')))
