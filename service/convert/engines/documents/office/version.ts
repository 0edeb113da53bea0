import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sofficeFolder } from './module.ts'

/** The registry file that contains the version, in the file list of the program's script. */
const REGISTRY = /filename:"\/instdir\/share\/registry\/main\.xcd",start:(\d+),end:(\d+)/
const VERSION = /oor:name="ooSetupVersionAboutBox"><value>(\d+\.\d+\.\d+)/

/** The version of LibreOffice, read from its files without starting it. */
export async function libreOfficeVersion(): Promise<string | null> {
  const folder = sofficeFolder()
  const [, start, end] = REGISTRY.exec(await readFile(join(folder, 'soffice.cjs'), 'latin1')) ?? []
  if (start === undefined || end === undefined) return null
  await using data = await open(join(folder, 'soffice.data'))
  const registry = Buffer.alloc(Number(end) - Number(start))
  await data.read(registry, 0, registry.length, Number(start))
  return VERSION.exec(registry.toString('latin1'))?.[1] ?? null
}
