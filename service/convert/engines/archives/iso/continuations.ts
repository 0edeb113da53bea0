import { SECTOR_BYTES } from './fields.ts'
import { CONTINUATION_BYTES, continuation } from './rock-ridge.ts'

/**
 * The sectors after a folder's records, for fields that do not fit into the records. Each area is within one sector, since
 * Linux cannot read others; if it is too small, it ends with the location of the next one.
 */
export class Continuations {
  readonly #location: number
  readonly #parts: Buffer[] = []
  #bytes = 0

  /** @param location first sector */
  constructor(location: number) {
    this.#location = location
  }

  /** Total size so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** The data to write at `location`. */
  get parts(): readonly Buffer[] {
    return this.#parts
  }

  /**
   * As many fields as fit into `room` bytes, in order. If not all fit, the last field points to the others, which are kept
   * here.
   */
  arrange(fields: readonly Buffer[], room: number): Buffer {
    const lengths = fields.map(field => field.length)
    let total = lengths.reduce((sum, length) => sum + length, 0)
    if (total <= room) return Buffer.concat(fields)
    let count = 0
    let used = CONTINUATION_BYTES
    for (const length of lengths) {
      if (used + length > room) break
      used += length
      total -= length
      count++
    }
    const left = SECTOR_BYTES - (this.#bytes % SECTOR_BYTES)
    if (Math.min(total, SECTOR_BYTES) > left) this.#add(Buffer.alloc(left))
    const start = this.#bytes
    const size = Math.min(total, SECTOR_BYTES)
    const rest = fields.slice(count)
    if (total <= SECTOR_BYTES) {
      this.#add(Buffer.concat(rest))
      return Buffer.concat([...fields.slice(0, count), this.#leadTo(start, size)])
    }
    // The area is a whole sector, followed by the area it points to.
    this.#bytes = start + SECTOR_BYTES
    const at = this.#parts.length
    this.#parts.push(Buffer.alloc(0))
    const area = this.arrange(rest, SECTOR_BYTES)
    this.#parts[at] = Buffer.concat([area, Buffer.alloc(SECTOR_BYTES - area.length)])
    return Buffer.concat([...fields.slice(0, count), this.#leadTo(start, area.length)])
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#bytes += bytes.length
  }

  #leadTo(start: number, length: number): Buffer {
    return continuation(this.#location + Math.floor(start / SECTOR_BYTES), start % SECTOR_BYTES, length)
  }
}
