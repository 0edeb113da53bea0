/** What Refile does not bring, or not in all of its packages: data of languages, fonts of scripts, LibreOffice. */
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { libreOfficeFile, libreOfficeFolder, libreOfficePackage } from '../../shared/model-folders.ts'
import type { Pack } from './model.ts'
import { keepFiles, npmPackage } from './npm-package.ts'
import { ocrLanguages } from './ocr-languages.ts'
import { scriptFonts } from './script-fonts.ts'

/** The package that `node_modules` has in complete packages. */
const libreOffice: Pack = {
  id: 'libreoffice',
  name: 'LibreOffice',
  licence: 'MPL-2.0',
  file: libreOfficeFile,
  isFolder: true,
  isShipped: () => libreOfficeFolder([]) !== undefined,
  ...npmPackage(
    ...libreOfficePackage,
    79_515_284,
    '62S8uLiFvwbXiCu3IfkO1cDjTyZWUy5nlMsTrmj3l+G5zf5fQcgpvzfRDR9wId+bduarrv11ZDb8Olz5zj4zJA==',
  ),
  async unpack(downloaded, path) {
    const names = ['soffice.cjs', 'soffice.worker.cjs', 'soffice.data', 'soffice.wasm']
    await keepFiles(
      downloaded,
      names.map(name => `wasm/${name}`),
      path,
    )
    const folder = dirname(path)
    // Those that older versions of Refile have used.
    for (const name of globSync('libreoffice-*', { cwd: folder }))
      if (!name.startsWith(libreOfficeFile)) await rm(join(folder, name), { recursive: true, force: true })
  },
}

export const packs: readonly Pack[] = [libreOffice, ...ocrLanguages, ...scriptFonts]
