/** The parameter sets of H.264 in MOV files of ours (AVCDecoderConfigurationRecord, ISO/IEC 14496-15, 5.3.3.1). */
import { open } from 'node:fs/promises'
import { box, boxes, u8, u16 } from '../../common/iso-boxes.ts'
import { boxesAt } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'

/** The first bytes of a record, its sequence and its picture parameter sets, and what follows them. */
export interface AvcConfiguration {
  head: Buffer
  sets: [sequence: Buffer[], picture: Buffer[]]
  rest: Buffer
}

/** Boxes around the record, and how many bytes each has before those that it contains. */
const PATH = Object.entries({ trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8, avc1: 78, avcC: 0 })

/**
 * Changes the record of a file whose description comes after its samples.
 * @returns the record before; null if there is none
 * @throws RangeError or JobFailure if it is shorter than it says
 */
export async function changeAvcConfiguration(
  path: string,
  change?: (before: AvcConfiguration) => AvcConfiguration,
): Promise<AvcConfiguration | null> {
  await using file = await open(path, 'r+')
  let found: AvcConfiguration | null = null
  const changed = (bytes: Buffer, [here, ...inner]: typeof PATH): Buffer => {
    if (!here) {
      found = parsed(bytes)
      return change ? written(change(found)) : bytes
    }
    const [type, skip] = here
    const content = ({ body }: { body: Buffer }) =>
      Buffer.concat([body.subarray(0, skip), changed(body.subarray(skip), inner)])
    return Buffer.concat(
      Array.from(boxes(bytes), each => box(each.type, each.type === type ? content(each) : each.body)),
    )
  }
  for await (const { start, end } of boxesAt(file, 'moov')) {
    const moov = box('moov', changed(await readAt(file, start, end - start), PATH))
    if (change) await file.write(moov, 0, moov.length, start - 8)
  }
  return found
}

function parsed(record: Buffer): AvcConfiguration {
  let at = 5
  const sets = (mask: number) =>
    Array.from({ length: record.readUInt8(at++) & mask }, () => {
      const from = at + 2
      at = from + record.readUInt16BE(at)
      return record.subarray(from, at)
    })
  return { head: record.subarray(0, 5), sets: [sets(0x1f), sets(0xff)], rest: record.subarray(at) }
}

function written({ head, sets: [sequence, picture], rest }: AvcConfiguration): Buffer {
  const sized = (sets: Buffer[]) => sets.flatMap(set => [u16(set.length), set])
  const counts = [u8(0xe0 | sequence.length), u8(picture.length)] as const
  return Buffer.concat([head, counts[0], ...sized(sequence), counts[1], ...sized(picture), rest])
}
