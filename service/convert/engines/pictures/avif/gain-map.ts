/** AVIF with a tone-mapped rendition (`tmap`, ISO/IEC 23008-12) for HDR screens. */
import { u8 } from '../../common/iso-boxes.ts'
import { type GainMapParameters, parameterBytes } from '../formats/gain-map-parameters.ts'
import { readItems } from '../heif/items.ts'
import { sharp } from '../sharp/load.ts'
import { add, contentsOf, fileOf, nclx, pixi } from './items-write.ts'

/** A picture with the gain map in a JPEG, which is encoded again. */
export async function avifWithGainMap(
  file: Buffer,
  map: Buffer,
  parameters: GainMapParameters,
): Promise<Buffer> {
  const coded = readItems(await sharp(map).avif({ quality: 80, effort: 3 }).toBuffer())
  const contents = contentsOf(readItems(file))
  const [base] = contents.entries
  if (!base) return file
  const gain = add(contents, 'av01', coded.data(coded.primary), coded.primary.properties)
  gain.isHidden = true
  // The colours of the brighter rendition: those of sRGB, as bright as PQ has them, with 10 bits.
  const properties = [
    ...base.properties.filter(({ type }) => type === 'ispe'),
    pixi(10, 10, 10),
    nclx(1, 16, 6),
  ]
  const payload = Buffer.concat([u8(0), parameterBytes(parameters)])
  const tone = add(contents, 'tmap', payload, properties, [['dimg', [base, gain]]])
  return fileOf({ ...contents, brands: ['tmap'], alternatives: [tone, base] })
}
