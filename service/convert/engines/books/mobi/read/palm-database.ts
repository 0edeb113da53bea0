/** The container of Mobipocket and Kindle books: a Palm database of numbered records. */
import { DamagedFile } from '../../../common/damage.ts'

const HEADER_BYTES = 78
const ENTRY_BYTES = 8

export interface PalmDatabase {
  /** At most 31 characters; rarely the complete title. */
  name: string
  /** Type and creator, such as `BOOKMOBI`. */
  type: string
  /** Time of the last change, if it is plausible. */
  modified: Date | undefined
  records: readonly Buffer[]
}

/** @throws DamagedFile if records are outside the file or overlap */
export function readPalmDatabase(file: Buffer): PalmDatabase {
  const count = file.readUInt16BE(HEADER_BYTES - 2)
  const table = HEADER_BYTES + count * ENTRY_BYTES
  if (count === 0 || table > file.length) throw new DamagedFile('the list of records breaks off')
  const starts = Array.from({ length: count }, (_, index) =>
    file.readUInt32BE(HEADER_BYTES + index * ENTRY_BYTES),
  )
  const records = starts.map((start, index) => {
    const end = starts[index + 1] ?? file.length
    if (start < table || start > end || end > file.length)
      throw new DamagedFile('a record is outside of the file')
    return file.subarray(start, end)
  })
  const [name = ''] = file.toString('latin1', 0, 32).split('\0')
  return { name, type: file.toString('latin1', 60, 68), modified: dateOf(file.readUInt32BE(40)), records }
}

/** Seconds from 1904 to 1970: Palm organisers count from 1904, most programs from 1970. */
const PALM_EPOCH_SECONDS = 2_082_844_800
/** Release of the first Palm organiser; earlier times are wrong. */
const EARLIEST_MS = Date.UTC(1996, 0)

function dateOf(seconds: number): Date | undefined {
  const date = new Date((seconds >= PALM_EPOCH_SECONDS ? seconds - PALM_EPOCH_SECONDS : seconds) * 1000)
  return date.getTime() >= EARLIEST_MS ? date : undefined
}
