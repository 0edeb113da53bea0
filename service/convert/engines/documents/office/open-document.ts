/** OpenDocument files (ISO/IEC 26300-2): their kind, and what they need. */
import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ZipArchive } from '../../archives/zip.ts'
import { withParts } from '../formats/part-names.ts'
import { countCells } from './cells.ts'
import { hideDamagedPictures } from './damaged-pictures.ts'
import { noFacts, type OfficeDocument } from './model.ts'
import { addXmlFamilies, addXmlScripts, noNeeds } from './needs.ts'
import { openSheets } from './sheets.ts'

/** Media types, also with `-template` behind them. */
const KINDS = [
  { type: 'application/vnd.oasis.opendocument.text', kind: 'text', suffix: 'odt' },
  { type: 'application/vnd.oasis.opendocument.spreadsheet', kind: 'sheet', suffix: 'ods' },
  { type: 'application/vnd.oasis.opendocument.presentation', kind: 'slides', suffix: 'odp' },
  { type: 'application/vnd.oasis.opendocument.graphics', kind: 'slides', suffix: 'odg' },
] as const

const TYPE_BYTES = 100
/** Media type of an object within a document. */
const FORMULA = 'application/vnd.oasis.opendocument.formula'
const MANIFEST = 'META-INF/manifest.xml'

/**
 * Reads a package that is one.
 * @param limits of a part, and of one that is searched for fonts, in bytes
 * @returns undefined for any other package
 * @throws JobFailure encrypted_input; ZipError if a part cannot be unpacked
 */
export async function readOpenDocument(
  path: string,
  archive: ZipArchive,
  limits: { part: number; styles: number },
): Promise<OfficeDocument | undefined> {
  const entry = archive.find('mimetype')
  const type = entry ? (await archive.read(entry, TYPE_BYTES)).toString('latin1') : ''
  const found = KINDS.find(kind => type.startsWith(kind.type))
  if (!found) return undefined
  const needs = noNeeds()
  const replaced = new Map<string, Buffer>()
  const facts = noFacts()
  for (const { name, ...rest } of archive.entries) {
    // Each part is unpacked once, so that a false header cannot hide a ZIP bomb.
    const content = await archive.read({ name, ...rest }, limits.part)
    if (name === MANIFEST) {
      if (content.includes('encryption-data'))
        throw new JobFailure('jobs.encrypted_input', message('office.protected_otherwise'))
      facts.hasFormulas = content.includes(FORMULA)
    }
    if (/\.xml$/i.test(name)) {
      addXmlScripts(needs, content)
      if (name === 'content.xml' && found.kind === 'sheet') {
        facts.cells = countCells(content, 'ods')
        facts.sheets = openSheets(content.toString('latin1'))
      }
      if (content.length <= limits.styles) addXmlFamilies(needs, content.toString('utf8'))
    } else if (name.startsWith('Pictures/')) {
      const damaged = await hideDamagedPictures(content)
      if (damaged > 0) replaced.set(name, content)
      facts.damagedPictures += damaged
    }
  }
  const file = await readFile(path)
  const bytes = replaced.size > 0 ? withParts(file, replaced) : file
  const { kind, suffix } = found
  return { kind, suffix, bytes, needs, ...facts }
}
