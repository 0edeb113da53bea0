/** The first record of a book, or of its KF8 part. */
import { DamagedFile } from '../../../common/damage.ts'
import { ENCODING, FIELD, HAS_EXTH, NOT_SET } from '../format/header.ts'

export interface Header {
  /** Number of its own record, to which its record numbers are relative. */
  record: number
  compression: number
  textRecords: number
  encrypted: boolean
  /** 8 is KF8; 0 means that there is only a PalmDOC header and no MOBI header. */
  version: number
  decoder: TextDecoder
  utf8: boolean
  title: string
  locale: number
  firstResource: number | undefined
  huffRecord: number
  huffRecords: number
  fdstRecord: number | undefined
  flowCount: number
  trailingEntries: number
  contentsIndex: number | undefined
  fragmentIndex: number | undefined
  skeletonIndex: number | undefined
  guideIndex: number | undefined
  /** Whether it is a dictionary, whose entries are listed in an index. */
  dictionary: boolean
  exth: ReadonlyMap<number, readonly Buffer[]>
}

/** Maximum number of EXTH records that are read. */
const EXTH_LIMIT = 10_000

/** @throws DamagedFile if the record is truncated */
export function readHeader(records: readonly Buffer[], number: number): Header {
  const record = records[number]
  if (!record) throw new DamagedFile('there is no header')
  const isMobi = record.length >= 40 && record.toString('latin1', FIELD.magic, FIELD.magic + 4) === 'MOBI'
  const length = isMobi ? FIELD.magic + record.readUInt32BE(FIELD.headerLength) : FIELD.magic
  const field = (at: number): number | undefined => {
    const value = at + 4 <= length ? record.readUInt32BE(at) : NOT_SET
    return value === NOT_SET ? undefined : value
  }
  const encoding = field(FIELD.encoding) ?? ENCODING.windows1252
  const decoder = decoderOf(encoding)
  const titleAt = field(FIELD.titleOffset) ?? 0
  const flags = field(FIELD.exthFlags) ?? 0
  const version = field(FIELD.version) ?? 0
  return {
    record: number,
    compression: record.readUInt16BE(FIELD.compression),
    textRecords: record.readUInt16BE(FIELD.textRecords),
    encrypted: record.readUInt16BE(FIELD.encryption) !== 0,
    version,
    decoder,
    utf8: encoding === ENCODING.utf8,
    title: decoder.decode(record.subarray(titleAt, titleAt + (field(FIELD.titleLength) ?? 0))),
    locale: field(FIELD.locale) ?? 0,
    firstResource: field(FIELD.firstResource),
    huffRecord: field(FIELD.huffRecord) ?? 0,
    huffRecords: field(FIELD.huffRecords) ?? 0,
    fdstRecord: field(FIELD.fdstRecord),
    flowCount: field(FIELD.flowCount) ?? 0,
    trailingEntries:
      FIELD.trailingEntries + 2 <= length && version > 4 ? record.readUInt16BE(FIELD.trailingEntries) : 0,
    contentsIndex: field(FIELD.contentsIndex),
    fragmentIndex: field(FIELD.fragmentIndex),
    skeletonIndex: field(FIELD.skeletonIndex),
    guideIndex: field(FIELD.guideIndex),
    dictionary: version < 8 && field(FIELD.orthographicIndex) !== undefined,
    exth: isMobi && flags & HAS_EXTH ? readExth(record, length) : new Map(),
  }
}

/** Metadata records by type. Reading stops at a truncated record, since a book can be read without metadata. */
function readExth(record: Buffer, start: number): Map<number, Buffer[]> {
  const exth = new Map<number, Buffer[]>()
  if (start + 12 > record.length || record.toString('latin1', start, start + 4) !== 'EXTH') return exth
  const count = Math.min(EXTH_LIMIT, record.readUInt32BE(start + 8))
  for (let index = 0, at = start + 12; index < count && at + 8 <= record.length; index++) {
    const type = record.readUInt32BE(at)
    const length = record.readUInt32BE(at + 4)
    if (length < 8 || at + length > record.length) break
    const values = exth.get(type)
    if (values) values.push(record.subarray(at + 8, at + length))
    else exth.set(type, [record.subarray(at + 8, at + length)])
    at += length
  }
  return exth
}

/** The number in the first EXTH record of a type. */
export function exthNumber({ exth }: Header, type: number): number | undefined {
  const value = exth.get(type)?.[0]
  return value?.length === 4 ? value.readUInt32BE(0) : undefined
}

function decoderOf(codePage: number): TextDecoder {
  const windows = codePage >= 1250 && codePage <= 1258 ? codePage : ENCODING.windows1252
  return new TextDecoder(codePage === ENCODING.utf8 ? 'utf-8' : `windows-${windows}`, { ignoreBOM: true })
}
