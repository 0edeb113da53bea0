import { GlobalFonts } from '@napi-rs/canvas'
import { resource } from '../../common/resources.ts'
import { symbolCharacter } from '../../common/symbol-font.ts'

let registered = false

/** Registers the bundled fonts, so that text is the same on every system. */
function registerFonts(): void {
  if (registered) return
  registered = true
  try {
    GlobalFonts.loadFontsFromDir(resource('fonts'))
  } catch {
    // Text then uses the system's fonts.
  }
}

const sans = 'Arimo, "DejaVu Sans", sans-serif'
const serif = 'Tinos, "DejaVu Sans", serif'
const mono = 'Cousine, "DejaVu Sans", monospace'

/** Font numbers of the Macintosh, of those that do not look like Geneva; each system assigned the others itself. */
const numbered: Record<number, string> = {
  0: 'Chicago',
  2: 'New York',
  4: 'Monaco',
  7: 'Athens',
  9: 'Toronto',
  20: 'Times',
  22: 'Courier',
  23: 'Symbol',
}

export interface Face {
  /** CSS font families. */
  families: string
  /** Chicago exists in one weight only, which is bold. */
  heavy: boolean
  /** Whether letters represent Greek ones. */
  symbol: boolean
}

const monospaced = /courier|monaco|mono|typewriter|ocr|vt100/i
const serifed =
  /times|new york|palatino|(?<!sans[ -]?)serif|roman|garamond|bookman|schoolbook|georgia|caslon|baskerville|toronto|athens/i

/** The available fonts that come closest to a Macintosh one, by number or name. */
export function faceOf(font: string | number): Face {
  registerFonts()
  const name = typeof font === 'number' ? (numbered[font] ?? 'Geneva') : font
  const symbol = /^symbol$/i.test(name)
  const heavy = /chicago|charcoal|black|heavy/i.test(name)
  if (monospaced.test(name)) return { families: mono, heavy, symbol }
  return { families: symbol || serifed.test(name) ? serif : sans, heavy, symbol }
}

const macRoman = new TextDecoder('macintosh')

/** Characters of a text in Mac OS Roman or the Symbol font, control characters left out. */
export function textOf(bytes: Uint8Array, symbol: boolean): string {
  const printed = bytes.filter(code => code >= 32 && code !== 127)
  return symbol ? Array.from(printed, symbolCharacter).join('') : macRoman.decode(printed)
}
