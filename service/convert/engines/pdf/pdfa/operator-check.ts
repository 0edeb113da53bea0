import type { PDFDict } from '@cantoo/pdf-lib'
import { type Operand, operations } from './content.ts'
import type { Findings } from './findings.ts'
import type { FontUse } from './font-use.ts'
import { dictEntry, dictOf, entry } from './objects.ts'

/** Operators of ISO 32000-1, Annex A, except BX and EX, whose content is unknown, and PS. */
const OPERATORS = new Set(
  `b B b* B* BDC BI BMC BT c cm CS cs d d0 d1 Do DP EMC ET f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc
  SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " BX EX`.split(/\s+/),
)

/** ISO 19005-2, 6.1.13. */
const LIMITS = { string: 32_767, name: 127, integer: 2 ** 31 - 1, states: 28 }

const RENDERING_INTENTS = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
])

/** Checks the operators of content streams, and records which codes of which fonts they show. */
export class OperatorCheck {
  /** Whether any content sets CMYK directly. */
  usesInks = false
  readonly #fonts: FontUse

  constructor(fonts: FontUse) {
    this.#fonts = fonts
  }

  /** Records what is wrong with the content of a page, a form or a glyph, and which fonts it uses. */
  check(data: Buffer, resources: PDFDict | undefined, found: Findings): void {
    const fonts = resources && dictEntry(resources, 'Font')
    const states: { font: PDFDict | undefined; invisible: boolean }[] = []
    let font: PDFDict | undefined
    let invisible = false
    const show = (operand: Operand | undefined) => {
      if (operand === undefined || typeof operand === 'number') return
      if (!font) found.problems.add('text in a font that is missing')
      else if ('string' in operand) this.#fonts.use(font, operand.string, invisible)
      else if ('array' in operand) for (const item of operand.array) show(item)
    }
    try {
      for (const { operator, operands } of operations(data)) {
        if (!OPERATORS.has(operator)) found.problems.add('an unknown operator')
        for (const operand of operands)
          if (!isWithinLimits(operand)) found.problems.add('a value beyond the limits')
        const [first] = operands
        switch (operator) {
          case 'q':
            states.push({ font, invisible })
            if (states.length > LIMITS.states) found.problems.add('graphics states nested too deep')
            break
          case 'Q': {
            const state = states.pop()
            if (state) ({ font, invisible } = state)
            break
          }
          case 'Tf':
            font = dictOf(fonts && isName(first) ? entry(fonts, first.name) : undefined)
            if (font) found.fonts.add(font)
            break
          case 'Tr':
            invisible = first === 3
            break
          case 'Tj':
          case 'TJ':
          case "'":
            show(first)
            break
          case '"':
            show(operands[2])
            break
          case 'k':
          case 'K':
            this.usesInks = true
            break
          case 'cs':
          case 'CS':
            if (isName(first) && first.name === 'DeviceCMYK') this.usesInks = true
            break
          case 'ri':
            if (!isName(first) || !RENDERING_INTENTS.has(first.name))
              found.problems.add('an unknown rendering intent')
            break
          case 'BI':
            this.#inlineImage(operands, found)
            break
        }
      }
    } catch {
      found.problems.add('content that cannot be read')
    }
  }

  #inlineImage(operands: readonly Operand[], found: Findings): void {
    for (let i = 0; i + 1 < operands.length; i += 2) {
      const key = operands[i]
      const value = operands[i + 1]
      if (!isName(key)) continue
      const names =
        value !== undefined && typeof value !== 'number' && 'array' in value ? value.array : [value]
      for (const each of names) {
        if (!isName(each)) continue
        if (['LZW', 'LZWDecode', 'Crypt'].includes(each.name)) found.problems.add('a forbidden filter')
        if (['CMYK', 'DeviceCMYK'].includes(each.name)) this.usesInks = true
        if (['I', 'Interpolate'].includes(key.name) && each.name === 'true')
          found.problems.add('an interpolated picture')
      }
    }
  }
}

const isName = (operand: Operand | undefined): operand is { name: string } =>
  typeof operand === 'object' && 'name' in operand

function isWithinLimits(operand: Operand): boolean {
  if (typeof operand === 'number') return Math.abs(operand) <= LIMITS.integer
  if ('string' in operand) return operand.string.length <= LIMITS.string
  if ('name' in operand) return Buffer.byteLength(operand.name, 'latin1') <= LIMITS.name
  return !('array' in operand) || operand.array.every(isWithinLimits)
}
