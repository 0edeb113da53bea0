import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { classicColor, readColor } from './colors.ts'
import { type Point, type Rect, readPoint, readRect } from './geometry.ts'
import type { PictHeader } from './header.ts'
import { type Instruction, type Port, type Shape, verbs } from './instructions.ts'
import { readBitPattern, readPixelPattern } from './patterns.ts'
import { readBits, readMode } from './pixmaps.ts'
import { readCompressed } from './quicktime.ts'
import { readRegion } from './regions.ts'

/** Maximum number of opcodes in a picture; the busiest known pictures have some ten thousand. */
const MAX_OPCODES = 2_000_000

const END = 0xff

/**
 * Reads the opcodes of a picture up to its end (Inside Macintosh: Imaging with QuickDraw, appendix A). Everything
 * relative to an earlier opcode (pen, text position, "same" shapes) becomes absolute.
 */
export function readInstructions({ reader, version }: PictHeader): Instructions {
  return new OpcodeReader(reader, version).read()
}

export interface Instructions {
  instructions: Instruction[]
  /** Whether the picture has an end marker. */
  complete: boolean
  /** Why reading stopped. */
  failure?: JobFailure
}

function readTextScale(reader: ByteReader): Point {
  const numerator = readPoint(reader)
  const denominator = readPoint(reader)
  const ratio = (over: number, under: number) => (under === 0 ? 1 : Math.abs(over / under))
  return { x: ratio(numerator.x, denominator.x), y: ratio(numerator.y, denominator.y) }
}

/** What an opcode sets in the port. */
const SETTINGS: Readonly<Record<number, (reader: ByteReader) => Partial<Port>>> = {
  1: reader => ({ clip: readRegion(reader) }),
  2: reader => ({ backPattern: readBitPattern(reader) }),
  4: reader => ({ face: reader.u8() }),
  5: reader => ({ textMode: readMode(reader) }),
  6: reader => ({ spaceExtra: reader.fixed() }),
  8: reader => ({ penMode: readMode(reader) }),
  9: reader => ({ penPattern: readBitPattern(reader) }),
  10: reader => ({ fillPattern: readBitPattern(reader) }),
  13: reader => ({ textSize: reader.u16() }),
  14: reader => ({ foreground: classicColor(reader.u32()) }),
  15: reader => ({ background: classicColor(reader.u32()) }),
  16: reader => ({ textScale: readTextScale(reader) }),
  18: reader => ({ backPattern: readPixelPattern(reader) }),
  19: reader => ({ penPattern: readPixelPattern(reader) }),
  20: reader => ({ fillPattern: readPixelPattern(reader) }),
  22: reader => ({ characterExtra: reader.i16() / 4096 }),
  26: reader => ({ foreground: readColor(reader) }),
  27: reader => ({ background: readColor(reader) }),
}

class OpcodeReader {
  private readonly reader: ByteReader
  private readonly version: 1 | 2
  private readonly start: number
  private readonly out: Instruction[] = []
  private pen: Point = { x: 0, y: 0 }
  private textAt: Point = { x: 0, y: 0 }
  private cornerSize: Point = { x: 0, y: 0 }
  /** The last drawn shape of each family, for "same" opcodes. */
  private readonly last = new Map<number, Shape>()
  /** Names assigned to font numbers in this picture. */
  private readonly fontNames = new Map<number, string>()
  /** Position of the last QuickTime image, until the opcode after it. */
  private quickTimePlace: Rect | undefined

  constructor(reader: ByteReader, version: 1 | 2) {
    this.reader = reader
    this.version = version
    this.start = reader.position
  }

  read(): Instructions {
    const { reader, version } = this
    for (let count = 0; reader.remaining >= version; count++) {
      if (count > MAX_OPCODES) throw new JobFailure('jobs.too_large', message('pict.too_many_steps'))
      // Opcodes of version 2 are words at even offsets.
      if (version === 2 && (reader.position - this.start) & 1) reader.skip(1)
      if (reader.remaining < version) break
      const opcode = version === 2 ? reader.u16() : reader.u8()
      if (opcode === END) return { instructions: this.out, complete: true }
      const place = this.quickTimePlace
      this.quickTimePlace = undefined
      try {
        this.readOpcode(opcode, place)
      } catch (failure) {
        if (!(failure instanceof JobFailure && failure.code === 'jobs.corrupt_input')) throw failure
        return { instructions: this.out, complete: false, failure }
      }
    }
    return { instructions: this.out, complete: false }
  }

  private port(set: Partial<Port>): void {
    this.out.push({ kind: 'port', set })
  }

  private readOpcode(opcode: number, quickTimePlace: Rect | undefined): void {
    const { reader } = this
    if (opcode <= 0x1f) this.readSetting(opcode, quickTimePlace !== undefined)
    else if (opcode <= 0x23) this.readLine(opcode)
    else if (opcode >= 0x28 && opcode <= 0x2b) this.readText(opcode)
    else if (opcode === 0x2c) this.readFontName()
    else if (opcode >= 0x24 && opcode <= 0x2f) reader.skip(reader.u16())
    else if (opcode <= 0x8f) this.readShape(opcode)
    else if (opcode <= 0x9f) this.readBitsOpcode(opcode, quickTimePlace)
    else if (opcode === 0x8200) this.readQuickTime()
    else this.skipReserved(opcode)
  }

  private readSetting(opcode: number, afterQuickTime: boolean): void {
    const { reader } = this
    const setting = SETTINGS[opcode]
    if (setting) this.port(setting(reader))
    else if (opcode === 0x03) this.setFont(reader.u16())
    else if (opcode === 0x07) {
      const penSize = readPoint(reader)
      // QuickTime marks the fallback for other readers with an impossible pen size, followed by the fallback's length.
      if (afterQuickTime && penSize.y === 0xae)
        reader.skip(Math.min(Math.max(penSize.x, 0), reader.remaining))
      else this.port({ penSize })
    } else if (opcode === 0x0b) this.cornerSize = readPoint(reader)
    else if (opcode === 0x0c) this.out.push({ kind: 'origin', dx: reader.i16(), dy: reader.i16() })
    else if (opcode === 0x11) reader.skip(this.version)
    else if (opcode === 0x15)
      reader.skip(2) // the pen's fraction
    else if (opcode === 0x1d || opcode === 0x1f) reader.skip(6) // colours of highlighted text and of arithmetic modes
  }

  private readLine(opcode: number): void {
    const { reader } = this
    const from = opcode === 0x20 || opcode === 0x22 ? readPoint(reader) : this.pen
    const to = opcode <= 0x21 ? readPoint(reader) : { x: from.x + reader.i8(), y: from.y + reader.i8() }
    this.pen = to
    this.out.push({ kind: 'line', from, to })
  }

  private readText(opcode: number): void {
    const { reader } = this
    if (opcode === 0x28) this.textAt = readPoint(reader)
    else {
      const dx = opcode === 0x2a ? 0 : reader.u8()
      const dy = opcode === 0x29 ? 0 : reader.u8()
      this.textAt = { x: this.textAt.x + dx, y: this.textAt.y + dy }
    }
    const bytes = reader.take(reader.u8())
    if (bytes.length > 0) this.out.push({ kind: 'text', at: this.textAt, bytes })
  }

  private setFont(number: number): void {
    this.port({ font: this.fontNames.get(number) ?? number })
  }

  /** Font name: the length of the rest, its number in this picture, the name. */
  private readFontName(): void {
    const data = this.reader.section(this.reader.u16())
    if (data.remaining < 3) return
    const number = data.u16()
    const bytes = data.take(Math.min(data.u8(), data.remaining))
    this.fontNames.set(number, new TextDecoder('macintosh').decode(bytes))
    this.setFont(number)
  }

  /** Shapes: for each verb, eight opcodes with a shape, then eight for the previous shape; three are reserved. */
  private readShape(opcode: number): void {
    const again = (opcode & 8) !== 0
    const verb = verbs[opcode & 7]
    const family = opcode & 0xf0
    const shape = again ? this.sameShape(family) : this.newShape(family)
    if (!verb || !shape) return
    this.last.set(family, shape)
    this.out.push({ kind: 'shape', verb, shape })
  }

  private newShape(family: number): Shape {
    const { reader } = this
    switch (family) {
      case 0x30:
        return { kind: 'rect', rect: readRect(reader) }
      case 0x40:
        return { kind: 'roundRect', rect: readRect(reader), oval: this.cornerSize }
      case 0x50:
        return { kind: 'oval', rect: readRect(reader) }
      case 0x60:
        return { kind: 'arc', rect: readRect(reader), start: reader.i16(), sweep: reader.i16() }
      case 0x70:
        return { kind: 'polygon', points: this.readPolygon() }
      default:
        return { kind: 'region', region: readRegion(reader) }
    }
  }

  private sameShape(family: number): Shape | undefined {
    const shape = this.last.get(family)
    // An arc specifies its angles each time.
    const angles = family === 0x60 ? { start: this.reader.i16(), sweep: this.reader.i16() } : undefined
    if (shape?.kind === 'arc') return { ...shape, ...angles }
    if (shape?.kind === 'roundRect') return { ...shape, oval: this.cornerSize }
    return shape
  }

  private readPolygon(): Point[] {
    const { reader } = this
    const size = reader.u16()
    const data = reader.section(Math.max(0, size - 2))
    if (data.remaining < 8) return []
    data.skip(8)
    const points: Point[] = []
    while (data.remaining >= 4) points.push(readPoint(data))
    return points
  }

  private readBitsOpcode(opcode: number, quickTimePlace: Rect | undefined): void {
    const { reader } = this
    if (![0x90, 0x91, 0x98, 0x99, 0x9a, 0x9b].includes(opcode)) {
      reader.skip(reader.u16())
      return
    }
    const copy = readBits(reader, opcode)
    // A fallback for readers without QuickTime covers exactly the image's position.
    if (quickTimePlace && sameRect(copy.destination, quickTimePlace)) return
    this.out.push({ kind: 'bits', copy })
  }

  private readQuickTime(): void {
    const { reader } = this
    const image = readCompressed(reader.section(Math.min(reader.u32(), reader.remaining)))
    this.quickTimePlace = image.destination
    this.out.push({ kind: 'quickTime', image })
  }

  /** Opcodes that draw nothing here, including comments, and those reserved by Apple. */
  private skipReserved(opcode: number): void {
    const { reader } = this
    if (opcode === 0xa0) reader.skip(2)
    else if (opcode === 0xa1) {
      reader.skip(2)
      reader.skip(reader.u16())
    } else if (opcode <= 0xaf) reader.skip(reader.u16())
    else if (opcode <= 0xcf || (opcode >= 0x8000 && opcode <= 0x80ff)) return
    else if (opcode <= 0xfe || opcode >= 0x8100) reader.skip(reader.u32())
    else reader.skip((opcode >> 8) * 2)
  }
}

const sameRect = (a: Rect, b: Rect): boolean =>
  a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right
