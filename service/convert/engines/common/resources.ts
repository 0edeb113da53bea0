import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of fonts, profiles and icons: `REFILE_RESOURCES`, otherwise the nearest `resources` folder above this
 * file.
 */
function resourcesFolder(): string {
  const set = process.env.REFILE_RESOURCES
  if (set) return set
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'resources', 'fonts'))) {
    const parent = dirname(folder)
    if (parent === folder) break
    folder = parent
  }
  return join(folder, 'resources')
}

/** Absolute path of a file that ships beside the code, such as `resource('fonts', 'DejaVuSans.ttf')`. */
export const resource = (...parts: string[]): string => join(resourcesFolder(), ...parts)
