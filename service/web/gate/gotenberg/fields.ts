/** The fields of Gotenberg's forms as options of conversions. Those that are not named here are ignored, as unknown ones are there. */
import { open } from 'node:fs/promises'
import type { Options } from '../../../convert/catalogue/task.ts'
import { RequestError } from '../../../shared/errors.ts'
import type { Job } from '../../../store/interfaces/jobs.ts'
import { examine } from '../../../work/intake/examine.ts'
import { identify } from '../../../work/intake/identify.ts'
import { findEdge, type RequestedStep } from '../../../work/intake/prepare.ts'
import type { UploadedFile } from '../../../work/intake/upload.ts'
import { type Call, converted, given, unknownValue } from '../conversion.ts'

export type Fields = ReadonlyMap<string, string>

/** A field that is `true` or `false`; undefined if it is not sent. */
export function flag(fields: Fields, name: string): boolean | undefined {
  const value = fields.get(name)
  if (value === undefined || value === '') return undefined
  if (value !== 'true' && value !== 'false') throw unknownValue(name, value)
  return value === 'true'
}

/** Converts what LibreOffice opens, or passes a PDF on. @throws RequestError */
export async function convertOffice(
  call: Call,
  file: UploadedFile,
  fields: Fields,
  furtherSteps: readonly RequestedStep[],
): Promise<Job> {
  const format = await identify(file.path, file.name)
  const pages = fields.get('nativePageRanges')
  const password = fields.get('password')
  if (format === 'pdf')
    return converted(call, file, 'pdf', pdfStep(given({ pages, password })).options, furtherSteps)
  if (!format) return converted(call, file, 'pdf', {}, furtherSteps)
  const { converter } = findEdge(call.services.catalogue, format, 'pdf')
  const quality = fields.get('quality')
  const maxDpi = flag(fields, 'reduceImageResolution') ? fields.get('maxImageResolution') : undefined
  const options = given({
    pages,
    password,
    landscape: flag(fields, 'landscape'),
    bookmarks: flag(fields, 'exportBookmarks'),
    comments: flag(fields, 'exportNotes'),
    notes: flag(fields, 'exportNotesPages'),
    hiddenSlides: flag(fields, 'exportHiddenSlides'),
    singlePageSheets: flag(fields, 'singlePageSheets'),
    images: given({
      compression: flag(fields, 'losslessImageCompression') ? 'lossless' : undefined,
      quality: quality && Number(quality),
      maxDpi: maxDpi && Number(maxDpi),
    }),
  })
  const known = Object.entries(options).filter(([name]) => Object.hasOwn(converter.options, name))
  return converted(call, file, 'pdf', Object.fromEntries(known), furtherSteps)
}

/** What is asked for of any PDF, and other tools that its pages need. */
export function stepsOf(fields: Fields, others: Options = {}): RequestedStep[] {
  const tools = { ...toolOptions(fields), ...others }
  const conformance = archiveStandard(fields)
  return [
    ...(Object.keys(tools).length > 0 ? [pdfStep(tools)] : []),
    ...(conformance ? [{ targetFormat: 'pdfa', options: { conformance } }] : []),
  ]
}

/** A PDF that becomes another, whose pictures stay as they are. */
export const pdfStep = (options: Options = {}): RequestedStep => ({
  targetFormat: 'pdf',
  options: { compression: 'none', ...options },
})

/** Properties, passwords and the like, as options of a PDF that becomes another; empty if nothing is asked for. */
export function toolOptions(fields: Fields): Options {
  const { Title: title, Author: author, Subject: subject, Keywords: keywords } = metadataIn(fields)
  const properties = given({ title, author, subject, keywords })
  const angle = fields.get('angle') ?? fields.get('rotateAngle')
  const turned = angle === undefined ? undefined : ANGLES[angle]
  if (angle !== undefined && turned === undefined) throw unknownValue('angle', angle)
  return given({
    properties: Object.keys(properties).length > 0 ? properties : undefined,
    flatten: flag(fields, 'flatten') || undefined,
    newPassword: fields.get('userPassword'),
    allow: fields.get('userPassword') && {
      printing: flag(fields, 'allowPrinting') ?? true,
      copying: flag(fields, 'allowCopying') ?? true,
      changing: flag(fields, 'allowModifying') ?? true,
    },
    rotate: turned,
    rotatePages: turned && (fields.get('pages') ?? fields.get('rotatePages')),
  })
}

const ANGLES: Readonly<Record<string, string>> = { 90: 'right', 180: 'half', 270: 'left' }

function metadataIn(fields: Fields): Record<string, string> {
  const text = fields.get('metadata')
  if (!text) return {}
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null)
      return Object.fromEntries(
        Object.entries(read).map(([name, value]) => [name, [value].flat().join(', ')]),
      )
  } catch {
    // Told as below.
  }
  throw unknownValue('metadata', text)
}

/** Into files of so many pages, or as a list of pages says. */
export async function splitOptions(fields: Fields, call: Call, file: UploadedFile): Promise<Options> {
  const { splitMode: mode = '', splitSpan: span = '' } = Object.fromEntries(fields)
  if (mode === 'pages') {
    const isOne = flag(fields, 'splitUnify')
    return { pages: span, split: isOne ? 'none' : 'pages' }
  }
  if (mode !== 'intervals') throw unknownValue('splitMode', mode)
  const each = Number(span)
  if (!(Number.isInteger(each) && each > 0)) throw unknownValue('splitSpan', span)
  const { accountId } = call.request.caller
  const { measure } = await examine(call.services, file, { accountId, signal: call.signal })
  const { pages = 1 } = measure
  const parts = Array.from({ length: Math.ceil(pages / each) }, (_, nth) => {
    const [first, last] = [nth * each + 1, Math.min(pages, (nth + 1) * each)]
    return first === last ? String(first) : `${first}-${last}`
  })
  return { pages: parts.join(','), split: 'ranges' }
}

/** The properties of a PDF, as ExifTool names and writes them. @throws RequestError convert.failed if it cannot be read */
export async function propertiesOf({ request, services, signal }: Call, file: UploadedFile) {
  const { accountId } = request.caller
  const { format, measure, problem } = await examine(services, file, { accountId, signal })
  if (format !== 'pdf' || problem) throw new RequestError('convert.failed', problem ?? undefined)
  const { CreationDate, ModDate, Keywords, ...others } = measure.facts?.properties ?? {}
  const [, version] = /%PDF-(\d\.\d)/.exec(await headOf(file.path)) ?? []
  return given({
    ...{ PDFVersion: version && Number(version), PageCount: measure.pages, ...others },
    CreateDate: CreationDate && exifDate(CreationDate),
    ModDate: ModDate && exifDate(ModDate),
    Keywords: Keywords?.split(/[,;]\s*/),
  })
}

/** The letters in which a PDF says its version. */
async function headOf(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1024) })
  return buffer.toString('latin1', 0, bytesRead)
}

/** A date such as `D:20060918162750-04'00'` (ISO 32000-1, 7.9.4) as `2006:09:18 16:27:50-04:00`. */
const exifDate = (date: string) =>
  date
    .replace(/^D:/, '')
    .replace(
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/,
      (_, year, month, day, hour, minute, second = '00') =>
        `${year}:${month}:${day} ${hour}:${minute}:${second}`,
    )
    .replace(/(\d\d)'(\d\d)'?$/, '$1:$2')

/** Which PDF/A is asked for; undefined for none. */
function archiveStandard(fields: Fields): string | undefined {
  const standard = fields.get('pdfa')
  // What is laid out here has the tags of PDF/UA without being asked.
  flag(fields, 'pdfua')
  if (!standard) return undefined
  const [, level] = /^PDF\/A-([123]b)$/i.exec(standard) ?? []
  if (!level) throw unknownValue('pdfa', standard)
  return level
}
