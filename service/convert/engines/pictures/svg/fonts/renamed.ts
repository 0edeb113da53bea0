/** Fonts under another name (OpenType 1.9.1, tables `name` and `OS/2`). */
import { u16 } from '../../../common/iso-boxes.ts'
import type { Font } from '../../../fonts/sfnt/font.ts'
import { nameIds } from '../../../fonts/sfnt/names.ts'

export interface Naming {
  family: string
  /** 1 to 1000. */
  weight: number
  italic: boolean
}

/** Weight from which a font counts as bold. */
const BOLD = 600

/** Bits of `fsSelection` in `OS/2`. */
const styles = { italic: 1 << 0, bold: 1 << 5, regular: 1 << 6, oblique: 1 << 9 } as const

/** Gives a font another name, weight and slant, by which it is looked up. */
export function renamed(font: Font, { family, weight, italic }: Naming): Font {
  const tables = new Map(font.tables)
  const bold = weight >= BOLD
  tables.set('name', nameTable(family, `${bold ? 'Bold' : ''}${italic ? 'Italic' : ''}` || 'Regular'))
  const os2 = tables.get('OS/2')
  if (os2 && os2.length >= 78) {
    const patched = Buffer.from(os2)
    patched.writeUInt16BE(weight, 4)
    const others = patched.readUInt16BE(62) & ~(styles.italic | styles.bold | styles.regular | styles.oblique)
    const style = (italic ? styles.italic : 0) | (bold ? styles.bold : 0)
    patched.writeUInt16BE(others | (style || styles.regular), 62)
    tables.set('OS/2', patched)
  }
  return { ...font, tables }
}

const [WINDOWS, UNICODE_BMP, ENGLISH_US] = [3, 1, 0x0409]

function nameTable(family: string, style: string): Buffer {
  const names: [id: number, text: string][] = [
    [nameIds.family, family],
    [nameIds.subfamily, style],
    [nameIds.full, `${family} ${style}`],
    [nameIds.postScript, `${family}-${style}`],
  ]
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  let offset = 0
  const records = names.map(([id], index) => {
    const { length } = texts[index]!
    offset += length
    return u16(WINDOWS, UNICODE_BMP, ENGLISH_US, id, length, offset - length)
  })
  return Buffer.concat([u16(0, names.length, 6 + names.length * 12), ...records, ...texts])
}
