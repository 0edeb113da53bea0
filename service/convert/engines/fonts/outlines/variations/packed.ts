/** Packed changes: OpenType 1.9.1, "Packed deltas". */
import type { ByteWriter } from '../../sfnt/data.ts'

/** Most numbers of one run. */
const RUN_LIMIT = 64

export function writeChanges(out: ByteWriter, changes: ArrayLike<number>): void {
  const kindOf = (value: number) => (value === 0 ? 0x80 : value >= -128 && value <= 127 ? 0 : 0x40)
  for (let i = 0; i < changes.length; ) {
    const kind = kindOf(changes[i]!)
    let end = i + 1
    while (end < changes.length && end - i < RUN_LIMIT && kindOf(changes[end]!) === kind) end++
    out.u8(kind | (end - i - 1))
    for (; i < end; i++) {
      if (kind === 0x40) out.u16(changes[i]!)
      else if (kind === 0) out.u8(changes[i]!)
    }
  }
}
