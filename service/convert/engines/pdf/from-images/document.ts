import { type FileHandle, open } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { iccComponents } from '../../pictures/formats/icc.ts'
import { componentsOf, type PdfImage } from './image.ts'

/** Largest page edge in points that every reader supports (ISO 32000-1, Annex C). */
const EDGE_LIMIT = 14_400

export interface PdfPage {
  image: PdfImage
  /** Pixels of the picture per inch of the page. */
  density: number
}

/** Writes a PDF 1.5 file with a picture on each page, page by page. */
export async function writePdf(
  path: string,
  pages: AsyncIterable<PdfPage> | Iterable<PdfPage>,
): Promise<void> {
  await using file = await open(path, 'w')
  const writer = await startObjects(file)
  const catalogue = writer.reserve()
  const tree = writer.reserve()
  const kids: number[] = []
  for await (const page of pages) kids.push(await addPage(writer, tree, page))
  await writer.object(
    tree,
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map(kid => `${kid} 0 R`).join(' ')}] >>`,
  )
  await writer.object(catalogue, `<< /Type /Catalog /Pages ${tree} 0 R >>`)
  const information = writer.reserve()
  await writer.object(information, '<< /Producer (Refile) >>')
  await writer.end(catalogue, information)
}

async function addPage(writer: Objects, tree: number, { image, density }: PdfPage): Promise<number> {
  const { orientation = 1 } = image
  const [across, down] = orientation > 4 ? [image.height, image.width] : [image.width, image.height]
  const scale = Math.min(72 / density, EDGE_LIMIT / Math.max(across, down))
  const width = round(across * scale)
  const height = round(down * scale)
  const picture = await addImage(writer, image)
  const content = writer.reserve()
  const matrix = placement(orientation, width, height).join(' ')
  await writer.stream(content, '', [Buffer.from(`q ${matrix} cm /Im0 Do Q`)])
  const page = writer.reserve()
  await writer.object(
    page,
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} 0 R ` +
      `/Resources << /XObject << /Im0 ${picture} 0 R >> >> >>`,
  )
  return page
}

const round = (points: number) => Math.max(1, Math.round(points * 1000) / 1000)

/** Matrix that places an image's unit square upright on a page, according to its EXIF orientation. */
function placement(orientation: number, w: number, h: number): number[] {
  const matrices: Record<number, number[]> = {
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  }
  return matrices[orientation] ?? [w, 0, 0, h, 0, 0]
}

const spaces = { grey: '/DeviceGray', rgb: '/DeviceRGB', cmyk: '/DeviceCMYK' }

async function addImage(writer: Objects, image: PdfImage): Promise<number> {
  const { colours, icc, mask, colourKey, inverted } = image
  const components = componentsOf(colours)
  let space: string
  if (colours.model === 'palette') {
    const table = Buffer.from(colours.palette).toString('hex')
    space = `[/Indexed /DeviceRGB ${Math.floor(colours.palette.length / 3) - 1} <${table}>]`
  } else if (icc && iccComponents(icc) === components) {
    const profile = writer.reserve()
    const entries = `/N ${components} /Alternate ${spaces[colours.model]} /Filter /FlateDecode`
    await writer.stream(profile, entries, [deflateSync(icc)])
    space = `[/ICCBased ${profile} 0 R]`
  } else {
    space = spaces[colours.model]
  }
  const entries = [
    `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height}`,
    `/ColorSpace ${space} /BitsPerComponent ${image.bits} /Filter /${image.filter}`,
  ]
  if (image.parameters) entries.push(`/DecodeParms << ${image.parameters} >>`)
  if (inverted) entries.push('/Decode [1 0 1 0 1 0 1 0]')
  if (colourKey) entries.push(`/Mask [${colourKey.join(' ')}]`)
  if (mask) entries.push(`/SMask ${await addImage(writer, mask)} 0 R`)
  const number = writer.reserve()
  await writer.stream(number, entries.join(' '), image.data)
  return number
}

interface Objects {
  /** Reserves the number of an object that is written later. */
  reserve(): number
  object(number: number, content: string): Promise<void>
  stream(number: number, entries: string, data: readonly Uint8Array[]): Promise<void>
  /** Writes the cross-reference table and the trailer. */
  end(root: number, information: number): Promise<void>
}

async function startObjects(file: FileHandle): Promise<Objects> {
  const offsets: number[] = [0]
  let position = 0
  const write = async (data: string | Uint8Array) => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
    await file.write(bytes, 0, bytes.length, position)
    position += bytes.length
  }
  // The second line marks the file as binary for file transfer programs.
  await write('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n')
  return {
    reserve: () => offsets.push(0) - 1,
    async object(number, content) {
      offsets[number] = position
      await write(`${number} 0 obj\n${content}\nendobj\n`)
    },
    async stream(number, entries, data) {
      offsets[number] = position
      const length = data.reduce((sum, part) => sum + part.length, 0)
      await write(`${number} 0 obj\n<< ${entries} /Length ${length} >>\nstream\n`)
      for (const part of data) await write(part)
      await write('\nendstream\nendobj\n')
    },
    async end(root, information) {
      const start = position
      const lines = offsets.map((offset, i) =>
        i === 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
      )
      await write(`xref\n0 ${offsets.length}\n${lines.join('')}`)
      await write(
        `trailer\n<< /Size ${offsets.length} /Root ${root} 0 R /Info ${information} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
      )
    },
  }
}
