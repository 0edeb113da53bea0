/** Fonts as a set of tables (OpenType 1.9, "Organization of an OpenType font"). */

export interface Font {
  /** First four bytes of the file: 0x00010000, or `OTTO` for PostScript outlines. */
  flavour: number
  tables: Map<string, Buffer>
}

/** Maximum size of an unpacked font. */
export const FONT_LIMIT = 64_000_000

/** Reads a TrueType or OpenType font, or the first of a collection; undefined if it is neither. */
export function readSfnt(file: Buffer): Font | undefined {
  const start = file.toString('latin1', 0, 4) === 'ttcf' ? file.readUInt32BE(12) : 0
  const flavour = file.readUInt32BE(start)
  if (![0x00010000, 0x4f54544f, 0x74727565].includes(flavour)) return undefined
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < file.readUInt16BE(start + 4); i++) {
    const entry = start + 12 + i * 16
    const offset = file.readUInt32BE(entry + 8)
    tables.set(
      file.toString('latin1', entry, entry + 4),
      file.subarray(offset, offset + file.readUInt32BE(entry + 12)),
    )
  }
  return { flavour, tables }
}

/** Writes a font. Checksums stay zero, since no renderer checks them. */
export function writeSfnt({ flavour, tables }: Font): Buffer {
  const names = [...tables.keys()].toSorted()
  const header = Buffer.alloc(12 + names.length * 16)
  header.writeUInt32BE(flavour, 0)
  header.writeUInt16BE(names.length, 4)
  const power = Math.floor(Math.log2(Math.max(1, names.length)))
  header.writeUInt16BE(16 * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE((names.length - 2 ** power) * 16, 10)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (const [i, name] of names.entries()) {
    const data = tables.get(name)!
    const padding = (4 - (data.length % 4)) % 4
    header.write(name, 12 + i * 16, 'latin1')
    header.writeUInt32BE(offset, 12 + i * 16 + 8)
    header.writeUInt32BE(data.length, 12 + i * 16 + 12)
    parts.push(data, Buffer.alloc(padding))
    offset += data.length + padding
  }
  return Buffer.concat(parts)
}

export interface Naming {
  family: string
  /** 100 to 900. */
  weight: number
  italic: boolean
}

/** Gives a font another name, weight and slant, by which it is looked up. */
export function renamed({ flavour, tables }: Font, { family, weight, italic }: Naming): Font {
  const named = new Map(tables)
  named.set('name', nameTable(family, `${weight >= 600 ? 'Bold' : ''}${italic ? 'Italic' : ''}` || 'Regular'))
  const os2 = tables.get('OS/2')
  if (os2 && os2.length >= 78) {
    const patched = Buffer.from(os2)
    patched.writeUInt16BE(weight, 4)
    // Bits 0, 5, 6 and 9: italic, bold, regular, oblique.
    const kept = patched.readUInt16BE(62) & ~0b1001100001
    patched.writeUInt16BE(
      kept | (italic ? 1 : 0) | (weight >= 600 ? 0x20 : 0) | (!italic && weight < 600 ? 0x40 : 0),
      62,
    )
    named.set('OS/2', patched)
  }
  return { flavour, tables: named }
}

function nameTable(family: string, style: string): Buffer {
  const names: [id: number, text: string][] = [
    [1, family],
    [2, style],
    [4, `${family} ${style}`],
    [6, `${family}-${style}`],
  ]
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  const header = Buffer.alloc(6 + names.length * 12)
  header.writeUInt16BE(names.length, 2)
  header.writeUInt16BE(header.length, 4)
  let offset = 0
  for (const [i, [id]] of names.entries()) {
    // Windows, Unicode, American English.
    for (const [j, value] of [3, 1, 0x409, id, texts[i]!.length, offset].entries())
      header.writeUInt16BE(value, 6 + i * 12 + j * 2)
    offset += texts[i]!.length
  }
  return Buffer.concat([header, ...texts])
}
