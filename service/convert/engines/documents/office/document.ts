/** Inspects an Office file before LibreOffice sees it: its kind, encryption, unpacked size and the fonts it uses. */
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ZipArchive, type ZipEntry, ZipError } from '../../archives/zip.ts'
import { isDamage } from '../../common/damage.ts'
import { readAt } from '../../common/read-at.ts'
import { CompoundFile, isCompound } from '../formats/compound.ts'
import { openProtected } from '../formats/office-encryption.ts'
import { partName, repacked, withPartNames } from '../formats/part-names.ts'
import { isBinaryEncrypted } from './binary-encryption.ts'
import { countBinaryCells, countCells, countRecords } from './cells.ts'
import { hideDamagedInRecords, hideDamagedPictures, withoutDamagedHexPictures } from './damaged-pictures.ts'
import { noFacts, type OfficeDocument } from './model.ts'
import { addRtfNeeds, addXmlFamilies, addXmlScripts, hasText, noNeeds } from './needs.ts'
import { readOpenDocument } from './open-document.ts'
import { asksForCalculation, hasUncalculated, withoutUncalculated } from './recalculation.ts'
import { checkRtf, withoutEmptyBinaries } from './rtf.ts'
import { sheetOf } from './sheets.ts'
import { withoutMedia } from './slides.ts'
import { addWordNeeds } from './word-binary.ts'

const MB = 1_000_000

/** Limits for an unpacked package. A workbook of a million rows takes a few hundred megabytes. */
const PART_BYTES = 512 * MB
const PACKAGE_BYTES = 1024 * MB
const PART_LIMIT = 20_000
/** Largest part that is searched for font names. */
const STYLES_BYTES = 32 * MB
/** Largest sheet that is searched for formulas without results. */
const SHEET_BYTES = 32 * MB
/** Largest unpacked workbook that is repacked to have its formulas calculated. */
const CALCULATED_BYTES = 128 * MB

const failure = {
  encrypted: () => new JobFailure('jobs.encrypted_input', message('office.protected_old')),
  corrupt: (cause?: unknown) => new JobFailure('jobs.corrupt_input', undefined, { cause }),
  notOffice: () => new JobFailure('jobs.corrupt_input', message('office.not_an_office_file')),
  otherFormat: () => new JobFailure('jobs.unsupported_input', message('office.other_format')),
  tooLarge: () =>
    new JobFailure('jobs.too_large', message('office.too_large_unpacked', { megabytes: PACKAGE_BYTES / MB })),
}

/**
 * Reads and checks a document.
 * @param options `folder`: where a decrypted copy is written; `still`: of videos, only their pictures are wanted
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function readOfficeDocument(
  path: string,
  { folder, password, still = false }: { folder: string; password?: string | undefined; still?: boolean },
): Promise<OfficeDocument> {
  try {
    const head = await headOf(path)
    if (isCompound(head)) return await readCompound(path, folder, still, password)
    if (head.toString('latin1', 0, 2) === 'PK') return await readPackage(path, folder, still)
    const plain = PLAIN_FORMATS.find(({ isFormat }) => head.length >= 8 && isFormat(head))
    if (plain) return await readPlain(path, plain)
    const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
    if (/^\s*\{\\rtf/.test(text)) return await readRtf(path)
    throw /^\s*<[?!a-z]/i.test(text) ? failure.otherFormat() : failure.notOffice()
  } catch (error) {
    if (isDamage(error)) throw failure.corrupt(error)
    if (!(error instanceof ZipError)) throw error
    throw error.code === 'jobs.too_large' ? failure.tooLarge() : failure.corrupt(error)
  }
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  // Awaited here, since the file is closed at the end of this block.
  return await readAt(file, 0, 512)
}

async function readRtf(path: string): Promise<OfficeDocument> {
  const { text, damaged } = await withoutDamagedHexPictures(
    withoutEmptyBinaries(await readFile(path, 'latin1')),
  )
  const open = checkRtf(text)
  // LibreOffice refuses a file whose groups do not end; the line break ends a control word that is cut off.
  const bytes = Buffer.from(open > 0 ? `${text}\n${'}'.repeat(open)}` : text, 'latin1')
  const needs = noNeeds()
  addRtfNeeds(needs, text)
  const facts = {
    ...noFacts(),
    hasContent: /\\pict\b/.test(text),
    hasFormulas: /\\moMath\b/.test(text),
    damagedPictures: damaged + (await hideDamagedPictures(bytes)),
  }
  return { kind: 'text', suffix: 'rtf', bytes, needs, isCutOff: open > 0, ...facts }
}

/** Formats before compound files: Word 2 and earlier, and Excel 4 and earlier, whose first record is a BOF: [MS-XLS] 2.4.21. */
const PLAIN_FORMATS = [
  { kind: 'text', suffix: 'doc', isFormat: (head: Buffer) => WORD_MARKS.has(head.readUInt16LE(0)) },
  {
    kind: 'sheet',
    suffix: 'xls',
    isFormat: (head: Buffer) =>
      EXCEL_MARKS.has(head.readUInt16LE(0)) && EXCEL_BYTES.has(head.readUInt16LE(2)),
  },
] as const
const WORD_MARKS = new Set([0xa59b, 0xa5db, 0xa5dc])
const EXCEL_MARKS = new Set([0x0009, 0x0209, 0x0409])
const EXCEL_BYTES = new Set([4, 6])

async function readPlain(
  path: string,
  { kind, suffix }: (typeof PLAIN_FORMATS)[number],
): Promise<OfficeDocument> {
  const bytes = await readFile(path)
  // These formats have no marks of their own against damage, so a result without anything to see counts as such.
  return { kind, suffix, bytes, needs: noNeeds(), hasContent: true, unsupportedChunks: 0, damagedPictures: 0 }
}

/** Streams that identify the program that wrote a file of the older formats. */
const STREAMS = [
  { stream: 'WordDocument', kind: 'text', suffix: 'doc' },
  { stream: 'Workbook', kind: 'sheet', suffix: 'xls' },
  { stream: 'Book', kind: 'sheet', suffix: 'xls' },
  { stream: 'PowerPoint Document', kind: 'slides', suffix: 'ppt' },
] as const

async function readCompound(
  path: string,
  folder: string,
  still: boolean,
  password?: string,
): Promise<OfficeDocument> {
  const bytes = await readFile(path)
  const file = new CompoundFile(bytes)
  const own = STREAMS.find(({ stream }) => file.hasAtTop(stream))
  if (!own && file.has('EncryptedPackage')) return readEncrypted(file, folder, still, password)
  // In a damaged file, the streams may not be where they belong.
  const found = own ?? STREAMS.find(({ stream }) => file.has(stream))
  if (!found) throw failure.notOffice()
  if (isBinaryEncrypted(file, found)) throw failure.encrypted()
  const stream = file.stream(found.stream) ?? Buffer.alloc(0)
  const needs = noNeeds()
  if (found.suffix === 'doc') addWordNeeds(needs, file, stream)
  const damagedPictures = await hideDamagedIn(file, found.stream)
  const { kind, suffix } = found
  const cells = kind === 'sheet' ? countRecords(stream) : 0
  return { kind, suffix, bytes, needs, hasContent: false, cells, unsupportedChunks: 0, damagedPictures }
}

/** Streams that contain pictures, besides the main one; that of Excel divides them into records, which are joined. */
const PICTURE_STREAMS = ['Data', 'Pictures']

async function hideDamagedIn(file: CompoundFile, main: string): Promise<number> {
  let damaged = 0
  for (const name of [main, ...PICTURE_STREAMS]) {
    const stream = file.stream(name)
    if (!stream) continue
    const isExcel = name === main && (main === 'Workbook' || main === 'Book')
    const found = await (isExcel ? hideDamagedInRecords(stream) : hideDamagedPictures(stream))
    if (found > 0) file.overwrite(name, stream)
    damaged += found
  }
  return damaged
}

async function readEncrypted(
  file: CompoundFile,
  folder: string,
  still: boolean,
  password?: string,
): Promise<OfficeDocument> {
  const path = join(folder, 'decrypted')
  await writeFile(path, openProtected(file, password))
  return readPackage(path, folder, still)
}

/** Content types of main parts; some contain macros, which are never run. */
const MAIN_PARTS = [
  {
    pattern: /wordprocessingml\.\w+\.main\+xml|ms-word\.\w+\.macroEnabled\w*\.main\+xml/i,
    kind: 'text',
    suffix: 'docx',
  },
  {
    pattern: /spreadsheetml\.\w+\.main\+xml|ms-excel\.\w+\.macroEnabled\w*\.main\+xml/i,
    kind: 'sheet',
    suffix: 'xlsx',
  },
  { pattern: /ms-excel\.sheet\.binary\.\w+\.main/i, kind: 'sheet', suffix: 'xlsb' },
  {
    pattern: /presentationml\.\w+\.main\+xml|ms-powerpoint\.\w+\.macroEnabled\w*\.main\+xml/i,
    kind: 'slides',
    suffix: 'pptx',
  },
] as const

/** Parts that contain the text of a document rather than its styles. */
const TEXT_PART =
  /(?:document|header|footer|footnotes|endnotes|comments|sharedStrings|sheet|slide|notesSlide|chart|drawing|data)\d*\.xml$/i

/** Text parts that are certainly visible. */
const BODY_PART = /^(?:word\/document|ppt\/slides\/slide)\d*\.xml$/i
const SLIDE_PART = /^ppt\/slide(?:s|Layouts|Masters)\/[^/]*\.xml$/i
const BODY_LINKS = /^word\/_rels\/document\d*\.xml\.rels$/i
const WORKBOOK_PART = /^xl\/workbook\.xml$/i
const SHEET_PART = /^xl\/worksheets\/[^/]*\.xml$/i
const BINARY_SHEET = /^xl\/worksheets\/[^/]*\.bin$/i
const PICTURE_PART = /\/media\//i
const MEDIA = /^word\/media\/.*\.(?:png|jpe?g|gif)$/i

async function readPackage(path: string, folder: string, still: boolean): Promise<OfficeDocument> {
  await using archive = await ZipArchive.open(path)
  checkSize(archive.entries)
  if (archive.entries.some(({ name }) => name !== partName(name))) {
    const renamed = join(folder, 'renamed')
    await writeFile(renamed, withPartNames(await readFile(path)))
    return await readPackage(renamed, folder, still)
  }
  const types = archive.entries.find(({ name }) => name.toLowerCase() === '[content_types].xml')
  if (!types) {
    const open = await readOpenDocument(path, archive, { part: PART_BYTES, styles: STYLES_BYTES })
    if (open) return open
    throw archive.find('mimetype') ? failure.otherFormat() : failure.notOffice()
  }
  const declared = (await archive.read(types, PART_BYTES)).toString('utf8')
  const found = MAIN_PARTS.find(({ pattern }) => pattern.test(declared))
  if (!found) throw failure.otherFormat()
  const needs = noNeeds()
  const facts = noFacts()
  facts.hasContent = archive.entries.some(({ name }) => MEDIA.test(name))
  let asksToCalculate = false
  const uncalculated = new Set<string>()
  const replaced = new Map<string, Buffer>()
  for (const entry of archive.entries) {
    const isXml = /\.xml$/i.test(entry.name) || BODY_LINKS.test(entry.name)
    // Stored entries cannot expand; all others are unpacked once, so that a false header cannot hide a ZIP bomb.
    if (entry.method === 0 && !isXml && !PICTURE_PART.test(entry.name)) continue
    const content = await archive.read(entry, PART_BYTES)
    if (BINARY_SHEET.test(entry.name)) facts.cells += countBinaryCells(content)
    if (!isXml) {
      const damaged = await hideDamagedPictures(content)
      if (damaged > 0) replaced.set(entry.name, content)
      facts.damagedPictures += damaged
      continue
    }
    if (TEXT_PART.test(entry.name)) addXmlScripts(needs, content)
    if (BODY_LINKS.test(entry.name)) {
      const links = content.toString('utf8')
      facts.unsupportedChunks = lostChunksIn(links)
      const acyclic = withoutLinksToItself(links)
      if (acyclic !== links) replaced.set(entry.name, Buffer.from(acyclic))
    }
    if (still && SLIDE_PART.test(entry.name)) {
      const slide = content.toString('latin1')
      const shown = withoutMedia(slide)
      if (shown !== slide) replaced.set(entry.name, Buffer.from(shown, 'latin1'))
    }
    if (BODY_PART.test(entry.name)) {
      facts.hasContent ||= hasText(content)
      facts.hasFormulas ||= content.includes('<m:oMath')
    }
    if (WORKBOOK_PART.test(entry.name)) asksToCalculate = asksForCalculation(content.toString('latin1'))
    if (SHEET_PART.test(entry.name)) {
      facts.cells += countCells(content, 'xlsx')
      const sheet = content.toString('latin1')
      facts.sheets.push(sheetOf(sheet))
      if (content.length <= SHEET_BYTES && hasUncalculated(sheet)) uncalculated.add(entry.name)
    }
    if (content.length <= STYLES_BYTES) addXmlFamilies(needs, content.toString('utf8'))
  }
  const file = await readFile(path)
  const unpacked = archive.entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (!asksToCalculate || unpacked > CALCULATED_BYTES) uncalculated.clear()
  const isChanged = replaced.size + uncalculated.size > 0
  const changed = (name: string, content: Uint8Array) =>
    replaced.get(name) ?? (uncalculated.has(name) ? withoutUncalculated(content) : content)
  const bytes = isChanged ? repacked(file, (name, content) => [name, changed(name, content)]) : file
  const { kind, suffix } = found
  return { kind, suffix, bytes, needs, ...facts }
}

/**
 * Leaves out links of the main part to itself, such as a header that is the document, in which LibreOffice would go round without end:
 * ECMA-376 part 2, 9.3.
 */
const withoutLinksToItself = (links: string): string =>
  links.replace(/<Relationship\s[^<>]*\bTarget=["'](?:\/word\/|\.\/)?document\d*\.xml["'][^<>]*>/g, '')

/** Counts the relationships of `w:altChunk` that are not Word files: ECMA-376 part 1, 17.17.2.1. */
const lostChunksIn = (links: string): number =>
  [...links.matchAll(/<Relationship\s[^<>]{0,4000}\/aFChunk"[^<>]{0,4000}>/g)].filter(
    ([link]) => !/\sTarget="[^"]*\.do[ct][xm]"/i.test(link),
  ).length

function checkSize(entries: readonly ZipEntry[]): void {
  if (entries.length > PART_LIMIT)
    throw new JobFailure('jobs.too_large', message('office.too_many_parts', { limit: PART_LIMIT }))
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > PACKAGE_BYTES || entries.some(({ bytes }) => bytes > PART_BYTES)) throw failure.tooLarge()
}
