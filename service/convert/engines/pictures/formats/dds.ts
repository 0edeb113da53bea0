/** Headers of DDS files (DirectX documentation, "DDS_HEADER" and "DDS_HEADER_DXT10"). */

/** Where the header names a kind of pixels with four letters, and where the one that follows `DX10` gives its number. */
const NAME = 84
const NUMBER = 128

/** Numbers of the same pixels by those (DXGI_FORMAT) that add that they are meant for sRGB, as pictures are anyway. */
const plain: Readonly<Record<number, number>> = { 29: 28, 72: 71, 75: 74, 78: 77, 91: 87, 93: 88, 99: 98 }

/** The file with a kind of pixels that readers know which know no colour spaces. */
export function withoutColourSpace(file: Buffer): Buffer {
  const isExtended = file.toString('latin1', NAME, NAME + 4) === 'DX10' && file.length >= NUMBER + 4
  const number = isExtended ? plain[file.readUInt32LE(NUMBER)] : undefined
  if (number === undefined) return file
  const copy = Buffer.from(file)
  copy.writeUInt32LE(number, NUMBER)
  return copy
}
