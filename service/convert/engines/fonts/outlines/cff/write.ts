/** Writes a CFF table: Adobe Technical Note 5176, "The Compact Font Format Specification". */
import { ByteWriter } from '../../sfnt/data.ts'
import { standardStrings } from './standard-strings.ts'
import { operators, writeDict, writeIndex } from './structures.ts'

/** Maximum number of names, so that their numbers fit. */
const NAME_LIMIT = 60_000

export interface NewCff {
  postScriptName: string
  fullName: string
  familyName: string
  /** Names of all glyphs; undefined if the font has none. */
  glyphNames: readonly string[] | undefined
  charStrings: readonly Buffer[]
  globalSubroutines: readonly Buffer[]
  box: readonly [number, number, number, number]
  unitsPerEm: number
  /** Default width, and the width relative to which the others are stored. */
  usualWidth: number
}

type Entry = readonly [operator: number, operands: readonly number[]]

/** Offsets of the parts after the font dictionary. */
interface Offsets {
  charset: number
  charStrings: number
  /** Offset of the private dictionary, or of the dictionaries of a font without names. */
  rest: number
}

export function writeCff(font: NewCff): Buffer {
  const count = font.charStrings.length
  const strings = new Strings()
  const named = font.glyphNames && count <= NAME_LIMIT ? font.glyphNames : undefined
  const charset = named
    ? namedCharset(named, strings)
    : Buffer.from(count > 1 ? [2, 0, 1, (count - 2) >> 8, (count - 2) & 0xff] : [0])
  const names: Entry[] = [
    [operators.fullName, [strings.numberOf(font.fullName)]],
    [operators.familyName, [strings.numberOf(font.familyName)]],
  ]
  const registry = named ? [] : [strings.numberOf('Adobe'), strings.numberOf('Identity'), 0]
  const shared: Entry[] = [...names, [operators.fontBox, font.box]]
  if (font.unitsPerEm !== 1000) shared.push([operators.matrix, unitMatrix(font.unitsPerEm)])
  const own = writeDict([
    [operators.defaultWidth, [font.usualWidth]],
    [operators.nominalWidth, [font.usualWidth]],
  ])
  const top = (offsets: Offsets) =>
    writeIndex([
      writeDict([
        // It has to come first.
        ...(named ? [] : [[operators.registry, registry] as const]),
        ...shared,
        [operators.charset, [offsets.charset]],
        [operators.charStrings, [offsets.charStrings]],
        ...(named
          ? [[operators.private, [own.length, offsets.rest]] as const]
          : [
              [operators.glyphCount, [count]] as const,
              [operators.fontDicts, [offsets.rest + own.length]] as const,
              [operators.fontDictSelect, [offsets.rest + own.length + dicts(0).length]] as const,
            ]),
      ]),
    ])
  const dicts = (offset: number) => writeIndex([writeDict([[operators.private, [own.length, offset]]])])
  const header = Buffer.from([1, 0, 4, 4])
  const nameIndex = writeIndex([Buffer.from(font.postScriptName, 'latin1')])
  const globals = writeIndex(font.globalSubroutines)
  const stringIndex = writeIndex(strings.own)
  const charStrings = writeIndex(font.charStrings)
  const before = [header, nameIndex, top({ charset: 0, charStrings: 0, rest: 0 }), stringIndex, globals]
  const start = before.reduce((sum, part) => sum + part.length, 0)
  const rest = start + charset.length + charStrings.length
  before[2] = top({ charset: start, charStrings: start + charset.length, rest })
  const selection = Buffer.from([3, 0, 1, 0, 0, 0, count >> 8, count & 0xff])
  return Buffer.concat([...before, charset, charStrings, own, ...(named ? [] : [dicts(rest), selection])])
}

const unitMatrix = (unitsPerEm: number): number[] => [1 / unitsPerEm, 0, 0, 1 / unitsPerEm, 0, 0]

/** Strings by number, the standard ones first. */
class Strings {
  readonly own: Buffer[] = []
  private readonly numbers = new Map(standardStrings.map((text, number) => [text, number]))

  numberOf(text: string): number {
    let number = this.numbers.get(text)
    if (number === undefined) {
      number = standardStrings.length + this.own.length
      this.own.push(Buffer.from(text, 'latin1'))
      this.numbers.set(text, number)
    }
    return number
  }
}

function namedCharset(names: readonly string[], strings: Strings): Uint8Array {
  const out = new ByteWriter(2 * names.length)
  out.u8(0)
  for (const name of names.slice(1)) out.u16(strings.numberOf(name))
  return out.take()
}
