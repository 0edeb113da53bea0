import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import { libreOfficeFolder } from '../../../../shared/model-folders.ts'
import { type EngineReport, versioned } from '../../common/report.ts'

const VERSION = /oor:name="ooSetupVersionAboutBox"><value>(\d+\.\d+\.\d+)/

/** A file of LibreOffice without starting it, from the place in its package that its script lists; undefined if there is none. */
export async function packagedFile(name: string): Promise<Buffer | undefined> {
  const folder = libreOfficeFolder()
  if (!folder) return undefined
  const script = await readFile(join(folder, 'soffice.cjs'), 'latin1')
  const at = script.indexOf(`filename:"/instdir/share/${name}"`)
  const [, start, end] = /start:(\d+),end:(\d+)/.exec(at < 0 ? '' : script.slice(at, at + 400)) ?? []
  if (start === undefined || end === undefined) return undefined
  await using data = await open(join(folder, 'soffice.data'))
  const file = Buffer.alloc(Number(end) - Number(start))
  await data.read(file, 0, file.length, Number(start))
  return file
}

/** The version of LibreOffice. */
async function libreOfficeVersion(): Promise<string | null> {
  const registry = await packagedFile('registry/main.xcd')
  return VERSION.exec(registry?.toString('latin1') ?? '')?.[1] ?? null
}

/** Its entry in `/health`: where it is not here, it works all the same if it may be downloaded when it is first needed. */
export async function report(): Promise<EngineReport> {
  const found = await versioned('LibreOffice (WebAssembly)', libreOfficeVersion)()
  if (libreOfficeFolder()) return found
  return { ...found, available: process.env.REFILE_FETCH_PACKS === '1', hint: message('office.not_here') }
}
