import type { PDFDict } from '@cantoo/pdf-lib'
import { RENDERING_INTENTS } from './clean.ts'
import { nameIn, type Operand } from './content.ts'
import type { FontUse } from './font-use.ts'
import { operationsWithState, shownStrings } from './graphics-state.ts'

/** Findings in a page, a form or a glyph. */
export interface Findings {
  /** Why it cannot be kept; meant for developers, not for users. */
  problems: Set<string>
  /** The fonts it uses. */
  fonts: Set<PDFDict>
  /** The resources that were checked for it. */
  resources: Set<PDFDict>
}

export const noFindings = (): Findings => ({ problems: new Set(), fonts: new Set(), resources: new Set() })

/** Operators of ISO 32000-1, Annex A, except BX and EX, whose content is unknown, and PS. */
const OPERATORS = new Set(
  `b B b* B* BDC BI BMC BT c cm CS cs d d0 d1 Do DP EMC ET f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc
  SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " BX EX`.split(/\s+/),
)

/** ISO 19005-2, 6.1.13. */
const LIMITS = { string: 32_767, name: 127, integer: 2 ** 31 - 1, states: 28 }

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
    try {
      for (const operation of operationsWithState(data, resources)) {
        const { operator, operands, state, depth } = operation
        const { font, isInvisible } = state
        if (!OPERATORS.has(operator)) found.problems.add('an unknown operator')
        for (const operand of operands)
          if (!isWithinLimits(operand)) found.problems.add('a value beyond the limits')
        if (depth > LIMITS.states) found.problems.add('graphics states nested too deep')
        if (font) found.fonts.add(font)
        for (const string of shownStrings(operation)) {
          if (font) this.#fonts.use(font, string, isInvisible)
          else found.problems.add('text in a font that is missing')
        }
        const [first] = operands
        const isSpace = operator === 'cs' || operator === 'CS'
        if (operator === 'k' || operator === 'K' || (isSpace && nameIn(first) === 'DeviceCMYK'))
          this.usesInks = true
        if (operator === 'ri' && !RENDERING_INTENTS.has(nameIn(first) ?? ''))
          found.problems.add('an unknown rendering intent')
        if (operator === 'BI') this.#inlineImage(operands, found)
      }
    } catch {
      found.problems.add('content that cannot be read')
    }
  }

  #inlineImage(operands: readonly Operand[], found: Findings): void {
    for (let i = 0; i + 1 < operands.length; i += 2) {
      const value = operands[i + 1]!
      for (const each of typeof value === 'object' && 'array' in value ? value.array : [value]) {
        const named = nameIn(each) ?? ''
        if (['LZW', 'LZWDecode', 'Crypt'].includes(named)) found.problems.add('a forbidden filter')
        if (['CMYK', 'DeviceCMYK'].includes(named)) this.usesInks = true
        if (['I', 'Interpolate'].includes(nameIn(operands[i]) ?? '') && named === 'true')
          found.problems.add('an interpolated picture')
      }
    }
  }
}

function isWithinLimits(operand: Operand): boolean {
  if (typeof operand === 'number') return Math.abs(operand) <= LIMITS.integer
  if ('string' in operand) return operand.string.length <= LIMITS.string
  if ('name' in operand) return Buffer.byteLength(operand.name, 'latin1') <= LIMITS.name
  return !('array' in operand) || operand.array.every(isWithinLimits)
}
