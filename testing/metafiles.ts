/** Windows metafiles for tests, written command by command: [MS-EMF], [MS-WMF]. */

/** A filled rectangle; the metafile is 2000 units wide and 1000 high. */
export interface Filled {
  box: readonly [left: number, top: number, right: number, bottom: number]
  color: readonly [red: number, green: number, blue: number]
}

const WIDTH = 2000
const HEIGHT = 1000

const numbers = (bytes: 2 | 4, ...values: number[]) => {
  const buffer = Buffer.alloc(values.length * bytes)
  for (const [index, value] of values.entries())
    if (bytes === 4) buffer.writeInt32LE(value | 0, index * 4)
    else buffer.writeUInt16LE(value & 0xffff, index * 2)
  return buffer
}

const colorOf = ([red, green, blue]: Filled['color']) => red | (green << 8) | (blue << 16)

/** Type, size and content. */
const emfRecord = (type: number, ...values: number[]) => numbers(4, type, 8 + values.length * 4, ...values)

/** 20 mm × 10 mm. */
export function emf(shapes: readonly Filled[]): Buffer {
  const records = [
    // No outline.
    emfRecord(0x25, 0x80000008),
    ...shapes.flatMap(({ box, color }) => [
      emfRecord(0x27, 1, 0, colorOf(color), 0),
      emfRecord(0x25, 1),
      emfRecord(0x2b, ...box),
      emfRecord(0x28, 1),
    ]),
    emfRecord(0x0e, 0, 0x10, 0x14),
  ]
  const body = Buffer.concat(records)
  const header = Buffer.alloc(88)
  const fields = [1, 88, 0, 0, WIDTH - 1, HEIGHT - 1, 0, 0, WIDTH, HEIGHT]
  numbers(4, ...fields).copy(header)
  header.write(' EMF', 40, 'latin1')
  // Version, bytes, records; one object; a device of 2000 × 1000 pixels on 20 × 10 mm.
  numbers(4, 0x10000, 88 + body.length, records.length + 1).copy(header, 44)
  header.writeUInt16LE(2, 56)
  numbers(4, WIDTH, HEIGHT, 20, 10).copy(header, 72)
  return Buffer.concat([header, body])
}

/** Size in words, type and content. */
const wmfRecord = (type: number, ...values: number[]) =>
  Buffer.concat([numbers(4, 3 + values.length), numbers(2, type, ...values)])

/** Without the header that gives its size. */
export function wmf(shapes: readonly Filled[]): Buffer {
  const records = [
    wmfRecord(0x020b, 0, 0),
    wmfRecord(0x020c, HEIGHT, WIDTH),
    ...shapes.flatMap(({ box: [left, top, right, bottom], color }, index) => [
      wmfRecord(0x02fc, 0, colorOf(color) & 0xffff, colorOf(color) >> 16, 0),
      wmfRecord(0x012d, index),
      wmfRecord(0x041b, bottom, right, top, left),
    ]),
    wmfRecord(0),
  ]
  const words = records.map(({ length }) => length / 2)
  const total = 9 + words.reduce((sum, count) => sum + count, 0)
  const header = [1, 9, 0x0300, total & 0xffff, total >> 16, shapes.length, Math.max(...words), 0, 0]
  return Buffer.concat([numbers(2, ...header), ...records])
}

/** The header of a placeable WMF: position and size, in units of 1/`inch` inch. */
export function placeable(metafile: Buffer, inch: number): Buffer {
  const fields = numbers(2, 0xcdd7, 0x9ac6, 0, 0, 0, WIDTH, HEIGHT, inch, 0, 0)
  let sum = 0
  for (let at = 0; at < 20; at += 2) sum ^= fields.readUInt16LE(at)
  return Buffer.concat([fields, numbers(2, sum), metafile])
}
