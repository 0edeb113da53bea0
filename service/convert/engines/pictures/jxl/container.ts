/** Boxes of JPEG XL files (ISO/IEC 18181-2). */
import { box, boxes, text, u8, u16, u32 } from '../../common/iso-boxes.ts'
import { type GainMapParameters, parameterBytes } from '../formats/gain-map-parameters.ts'

/** Whether a file is a codestream alone. */
const isBare = (file: Buffer) => file.toString('latin1', 0, 2) === '\xff\x0a'

export const isJxl = (file: Buffer): boolean => isBare(file) || file.toString('latin1', 4, 8) === 'JXL '

/** The boxes of the picture itself. */
const picture = (file: Buffer) =>
  isBare(file)
    ? [{ type: 'jxlc', body: file }]
    : [...boxes(file)].filter(({ type }) => type !== 'JXL ' && type !== 'ftyp')

/** The file with further boxes before those of the picture. */
export const withBoxes = (file: Buffer, ...further: Uint8Array[]): Buffer =>
  Buffer.concat([
    box('JXL ', u32(0x0d0a870a)),
    box('ftyp', text('jxl \0\0\0\0jxl ')),
    ...further,
    ...picture(file).map(({ type, body }) => box(type, body)),
  ])

/** The box of a gain map, of the file of a map. */
export function gainMapBox(map: Buffer, parameters: GainMapParameters): Buffer {
  const bytes = parameterBytes(parameters)
  // In parts, each of which begins with its number.
  const codestream = picture(map).flatMap(({ type, body }) =>
    type === 'jxlc' ? [body] : type === 'jxlp' ? [body.subarray(4)] : [],
  )
  // No version, no colours of the other rendition.
  return box('jhgm', u8(0), u16(bytes.length), bytes, u8(0), u32(0), ...codestream)
}
