/** Packs the objects of a PDF into compressed streams (ISO 32000-1, 7.5.7), where LibreOffice writes each by itself. */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

const deflated = promisify(deflate)

/** Objects in a stream, which a reader unpacks as a whole: more save little. */
const TOGETHER = 400
/** Widths in bytes of the fields of an entry in the table of objects: its kind, where it is, and its place there. */
const FIELDS = [1, 4, 2]
const ENTRY_BYTES = 7
/** Length of a line of the table that is replaced. */
const LINE_BYTES = 20

/**
 * @returns the same document; the file itself if it is protected, was changed after it was written, or is not as LibreOffice writes it
 */
export async function packObjects(pdf: Buffer): Promise<Buffer> {
  const table = tableOf(pdf)
  if (!table) return pdf
  const { offsets, end, trailer } = table
  const size = offsets.length
  const entries: [kind: number, where: number, place: number][] = offsets.map(() => [0, 0, 0])
  const header = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')
  const out: Buffer[] = [header]
  let length = header.length
  const write = (bytes: Buffer) => {
    out.push(bytes)
    length += bytes.length
  }
  const small: { number: number; body: string }[] = []
  const numbers = offsets.flatMap((offset, number) => (offset > 0 ? number : []))
  const inOrder = numbers.toSorted((a, b) => offsets[a]! - offsets[b]!)
  for (const [index, number] of inOrder.entries()) {
    const next = inOrder[index + 1]
    const object = pdf.subarray(offsets[number], next === undefined ? end : offsets[next])
    const body = bodyOf(object, number)
    if (body === undefined) return pdf
    if (body === '') {
      entries[number] = [1, length, 0]
      write(object)
    } else small.push({ number, body })
  }
  for (let from = 0; from < small.length; from += TOGETHER) {
    const part = small.slice(from, from + TOGETHER)
    const stream = entries.length
    let at = 0
    const places = part.map(({ number, body }, place) => {
      entries[number] = [2, stream, place]
      const start = at
      at += body.length + 1
      return `${number} ${start}`
    })
    const index = `${places.join(' ')}\n`
    const data = await deflated(Buffer.from(index + part.map(({ body }) => body).join('\n'), 'latin1'))
    entries.push([1, length, 0])
    write(streamOf(stream, `/Type/ObjStm/N ${part.length}/First ${index.length}`, data))
  }
  const own = entries.length
  const start = length
  entries.push([1, start, 0])
  const rows = Buffer.alloc(entries.length * (ENTRY_BYTES + 1))
  const row = Buffer.alloc(ENTRY_BYTES)
  const above = Buffer.alloc(ENTRY_BYTES)
  for (const [number, [kind, where, place]] of entries.entries()) {
    row.writeUInt8(kind)
    row.writeUInt32BE(where, 1)
    row.writeUInt16BE(place, 5)
    const at = number * (ENTRY_BYTES + 1)
    // Each byte is the difference from the one above (the predictor "Up" of PNG).
    rows[at] = 2
    for (let byte = 0; byte < ENTRY_BYTES; byte++) rows[at + 1 + byte] = row[byte]! - above[byte]!
    row.copy(above)
  }
  const parameters = `/Type/XRef/Size ${entries.length}/W[${FIELDS.join(' ')}]/DecodeParms<</Predictor 12/Columns ${ENTRY_BYTES}>>`
  write(streamOf(own, parameters + trailer, await deflated(rows)))
  write(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return size > 0 && length < pdf.length ? Buffer.concat(out, length) : pdf
}

const streamOf = (number: number, entries: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${number} 0 obj\n<<${entries}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ])

/** Where each object is, by its number: 0 if there is none. */
interface Table {
  offsets: number[]
  /** Where the table itself is. */
  end: number
  /** Entries of the trailer that are still true. */
  trailer: string
}

function tableOf(pdf: Buffer): Table | undefined {
  const [, place = ''] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', pdf.length - 100)) ?? []
  const end = Number(place || Number.NaN)
  if (!(end > 0 && end < pdf.length)) return undefined
  const [head = '', count = ''] = /^xref\s+0 (\d+)\s+/.exec(pdf.toString('latin1', end, end + 40)) ?? []
  const first = end + head.length
  const rest = first + Number(count) * LINE_BYTES
  const trailer = /^\s*trailer\s*<<(.*)>>\s*startxref/s.exec(pdf.toString('latin1', rest))?.[1] ?? ''
  if (head === '' || trailer === '' || /\/(?:Encrypt|Prev|XRefStm)\b/.test(trailer)) return undefined
  const offsets: number[] = []
  for (let at = first; at < rest; at += LINE_BYTES) {
    const [, offset = '', kind = ''] =
      /^(\d{10}) \d{5} ([nf])/.exec(pdf.toString('latin1', at, at + LINE_BYTES)) ?? []
    if (kind === '') return undefined
    offsets.push(kind === 'n' ? Number(offset) : 0)
  }
  const kept = ['Root \\d+ 0 R', 'Info \\d+ 0 R', 'ID\\s*\\[[^\\]]*\\]'].map(
    entry => new RegExp(`/${entry}`).exec(trailer)?.[0] ?? '',
  )
  return kept[0] ? { offsets, end, trailer: kept.join('') } : undefined
}

/** The text of an object; empty for one that has to stay outside of streams, and undefined if there is none. */
function bodyOf(object: Buffer, number: number): string | undefined {
  const head = `${number} 0 obj`
  if (object.toString('latin1', 0, head.length) !== head) return undefined
  const tail = object.toString('latin1', Math.max(0, object.length - 40)).trimEnd()
  if (!tail.endsWith('endobj')) return undefined
  if (/endstream\s*endobj$/.test(tail)) return ''
  const body = object
    .toString('latin1', head.length)
    .replace(/\s*endobj\s*$/, '')
    .trimStart()
  // Lengths of streams stay where readers that repair a file find them.
  return /^\d+$/.test(body) ? '' : body
}
