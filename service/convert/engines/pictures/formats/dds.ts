/** Headers of DDS files (DirectX documentation, "DDS_HEADER" and "DDS_HEADER_DXT10"). */

/** Where the header names a kind of pixels with four letters, and where the one that follows `DX10` gives its number. */
const NAME = 84
const NUMBER = 128

/** Numbers of the same pixels by those (DXGI_FORMAT) that add that they are meant for sRGB, as pictures are anyway. */
const plain: Readonly<Record<number, number>> = { 29: 28, 72: 71, 75: 74, 78: 77, 91: 87, 93: 88, 99: 98 }

/** Bits of a pixel, and red, green, blue and opacity in them, as DXGI_FORMAT_R8G8B8A8_UNORM has them. */
const RED_FIRST = Buffer.from('20000000ff00000000ff00000000ff00000000ff', 'hex')
const RED_FIRST_NUMBER = 28

/** The file as readers know it which know no colour spaces, and kinds of pixels with red first only by their number. */
export function withKnownPixels(file: Buffer): Buffer {
  const isExtended = file.toString('latin1', NAME, NAME + 4) === 'DX10' && file.length >= NUMBER + 4
  const isRedFirst = file.subarray(NAME + 4, NAME + 24).equals(RED_FIRST)
  const number = isExtended ? plain[file.readUInt32LE(NUMBER)] : isRedFirst ? RED_FIRST_NUMBER : undefined
  if (number === undefined) return file
  const head = Buffer.alloc(NUMBER + 20)
  file.copy(head, 0, 0, NUMBER)
  // A name instead of the bits, and one plane picture.
  head.writeUInt32LE(4, NAME - 4)
  head.write('DX10', NAME, 'latin1')
  for (const [at, value] of [number, 3, 0, 1].entries()) head.writeUInt32LE(value, NUMBER + 4 * at)
  return Buffer.concat([head, file.subarray(isExtended ? head.length : NUMBER)])
}
