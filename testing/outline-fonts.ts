/** Font programs with a few square letters, written byte by byte: Type 1, and CFF as embedded in PDF. */

/** A number from -1131 to 1131, as encoded in both kinds of charstrings. */
function charNumber(value: number): number[] {
  if (Math.abs(value) <= 107) return [value + 139]
  const rest = Math.abs(value) - 108
  return [(value > 0 ? 247 : 251) + (rest >> 8), rest & 255]
}

const numbers = (...values: number[]) => values.flatMap(charNumber)

function encrypt(data: Buffer, key: number): Buffer {
  let state = key
  const plain = Buffer.concat([Buffer.alloc(4), data])
  for (const [i, byte] of plain.entries()) {
    const coded = byte ^ (state >> 8)
    state = ((coded + state) * 52_845 + 22_719) & 0xffff
    plain[i] = coded
  }
  return plain
}

/**
 * A Type 1 program (Adobe Type 1 Font Format) with these glyphs and widths; `clear` is the length of its plain part.
 */
export function type1Font(glyphs: Record<string, number>): { program: Buffer; clear: number } {
  const head = Buffer.from(
    '%!PS-AdobeFont-1.0: Square\n12 dict begin\n/FontName /Square def\n/FontType 1 def\n/PaintType 0 def\n' +
      '/FontMatrix [0.001 0 0 0.001 0 0] def\n/FontBBox {0 0 1000 1000} def\n/Encoding StandardEncoding def\n' +
      'currentdict end\ncurrentfile eexec\n',
    'latin1',
  )
  const parts: Buffer[] = [
    Buffer.from(
      'dup /Private 4 dict dup begin\n/RD {string currentfile exch readstring pop} def\n/ND {def} def\n/BlueValues [] def\n' +
        `2 index /CharStrings ${Object.keys(glyphs).length} dict dup begin\n`,
      'latin1',
    ),
  ]
  for (const [name, width] of Object.entries(glyphs)) {
    // hsbw, rmoveto, rlineto and closepath.
    const square = [...numbers(50, 50), 21, ...numbers(400), 6, ...numbers(600), 7, ...numbers(-400), 6, 9]
    const outline = encrypt(
      Buffer.from([...numbers(0, width), 13, ...(name === '.notdef' ? [] : square), 14]),
      4330,
    )
    parts.push(
      Buffer.from(`/${name} ${outline.length} RD `, 'latin1'),
      outline,
      Buffer.from(' ND\n', 'latin1'),
    )
  }
  parts.push(
    Buffer.from(
      'end\nend\nreadonly put\nput\ndup/FontName get exch definefont pop\nmark currentfile closefile\n',
      'latin1',
    ),
  )
  const tail = Buffer.from(`${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`, 'latin1')
  return { program: Buffer.concat([head, encrypt(Buffer.concat(parts), 55_665), tail]), clear: head.length }
}

function index(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0])
  const head = Buffer.alloc(3 + (items.length + 1) * 2)
  head.writeUInt16BE(items.length)
  head[2] = 2
  let offset = 1
  for (const [i, item] of [...items, Buffer.alloc(0)].entries()) {
    head.writeUInt16BE(offset, 3 + i * 2)
    offset += item.length
  }
  return Buffer.concat([head, ...items])
}

/** A number in a DICT, always in five bytes. */
function dictNumber(value: number): number[] {
  const bytes = Buffer.alloc(5)
  bytes[0] = 29
  bytes.writeInt32BE(value, 1)
  return [...bytes]
}

/** A bare CFF program (Adobe Technical Note 5176); glyphs are named by standard string numbers, A is 34. */
export function cffFont(glyphs: ReadonlyMap<number, number>): Buffer {
  const outlines = [Buffer.from([14])]
  for (const width of glyphs.values()) {
    const square = [...numbers(50, 50), 21, ...numbers(400), 6, ...numbers(600), 7, ...numbers(-400), 6, 14]
    outlines.push(Buffer.from([...numbers(width), ...square]))
  }
  const charset = Buffer.from([0, ...[...glyphs.keys()].flatMap(id => [id >> 8, id & 255])])
  const charStrings = index(outlines)
  const own = Buffer.from([...numbers(500), 20, ...numbers(0), 21])
  const names = index([Buffer.from('Square', 'latin1')])
  const top = (at: { charset: number; charStrings: number; own: number }) =>
    index([
      Buffer.from([
        ...dictNumber(at.charset),
        15,
        ...dictNumber(at.charStrings),
        17,
        ...dictNumber(own.length),
        ...dictNumber(at.own),
        18,
      ]),
    ])
  const fixed = 4 + names.length + top({ charset: 0, charStrings: 0, own: 0 }).length + 4
  const places = {
    charset: fixed,
    charStrings: fixed + charset.length,
    own: fixed + charset.length + charStrings.length,
  }
  const header = Buffer.from([1, 0, 4, 2])
  return Buffer.concat([header, names, top(places), index([]), index([]), charset, charStrings, own])
}
