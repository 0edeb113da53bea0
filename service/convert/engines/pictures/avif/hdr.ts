/** Names the HDR of AVIF files: libvips says of every picture that its colours are those of sRGB. */
import { readFile, writeFile } from 'node:fs/promises'
import { u8, u16 } from '../../common/iso-boxes.ts'
import { readItems } from '../heif/items.ts'
import type { Pixels } from '../pixels.ts'
import { sequenceHeader } from './av1.ts'
import { contentsOf, fileOf, nclx } from './items-write.ts'

/** The matrix of BT.601, and primaries and curve of sRGB before it, as the encoder is told. */
const MATRIX = 6
const SRGB = u8(1, 13, MATRIX)

/** Writes code points into the description of a picture, and into its stream, which players of video read instead. */
export async function nameHdr(
  path: string,
  { primaries, transfer }: NonNullable<Pixels['hdr']>,
): Promise<void> {
  const items = readItems(await readFile(path))
  const { properties } = items.primary
  const [own, configuration] = ['colr', 'av1C'].map(wanted => properties.find(({ type }) => type === wanted))
  // Those of sRGB are left out, unless nothing is lost.
  if (own) own.body.set(u16(primaries, transfer), 4)
  else properties.push(nclx(primaries, transfer, MATRIX))
  for (const { buffer, byteOffset, length } of [items.data(items.primary), configuration!.body.subarray(4)])
    recolour(Buffer.from(buffer, byteOffset, length), u8(primaries, transfer, MATRIX))
  await writeFile(path, fileOf(contentsOf(items)))
}

/** The fields stand among the last bits of a sequence header (AV1, 5.5.2), and not at whole bytes. */
function recolour(stream: Buffer, codePoints: Buffer): void {
  const header = sequenceHeader(stream)?.payload
  if (!header) return
  const number = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
  const [bits, change] = [number(header), number(SRGB) ^ number(codePoints)]
  for (let shift = 0n; bits >> shift > 0n; shift++) {
    if (((bits >> shift) & 0xffffffn) !== number(SRGB)) continue
    header.write((bits ^ (change << shift)).toString(16).padStart(2 * header.length, '0'), 'hex')
    return
  }
}
