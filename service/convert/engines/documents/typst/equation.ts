import { symbolMap, tex2typst } from 'tex2typst'
import { depthOf } from '../equations/read-tex.ts'

/** Longest LaTeX that is treated as a formula. */
const MAX_LENGTH = 20_000

/** Maximum nesting of groups; parsing time grows fast with their depth. */
const MAX_DEPTH = 12

/** LaTeX that the converter does not know, with an equivalent that it knows or nothing. */
const simplified: [RegExp, string][] = [
  [/(?<!\\)%.*$/gm, ''],
  [/"/g, '”'],
  [/\\(?:limits|nolimits|nonumber|notag|allowbreak|nobreak|relax|strut|mathstrut)(?![a-zA-Z])/g, ' '],
  [/\\label\s*\{[^{}]*\}/g, ''],
  [/\\tag\*?\s*\{([^{}\\]*)\}/g, '\\qquad \\text{($1)}'],
  [/\\(begin|end)\s*\{(?:equation|displaymath|math)\*?\}/g, ''],
  [/\\(begin|end)\s*\{(?:align|gather|gathered|split|multline|eqnarray|flalign)\*?\}/g, '\\$1{aligned}'],
  [/\\(?:l|r)vert(?![a-zA-Z])/g, '|'],
  [/\\(?:l|r)Vert(?![a-zA-Z])/g, '\\|'],
  [/\\(?:big|Big|bigg|Bigg)[lrm]?(?![a-zA-Z])/g, ''],
  [/\\middle(?![a-zA-Z])/g, ''],
  [/\\bm(?![a-zA-Z])/g, '\\boldsymbol'],
  [/\\mathds(?![a-zA-Z])/g, '\\mathbb'],
  [/\\tfrac(?![a-zA-Z])/g, '\\frac'],
  [/\\(?:mbox|textrm|textnormal|textit|textbf|textsf|texttt|hbox)(?![a-zA-Z])/g, '\\text'],
  [/\\stackrel(?![a-zA-Z])/g, '\\overset'],
  [/\\x(right|left)arrow\s*\{/g, '\\overset{\\long$1arrow}{'],
  [/\\(?:textcolor|colorbox)\s*\{[^{}]*\}/g, ''],
  [/\\color\s*\{[^{}]*\}/g, ''],
  [/\\(?:boxed|phantom|hphantom|vphantom)(?![a-zA-Z])/g, ''],
  [/\\hspace\*?\s*\{[^{}]*\}/g, '\\quad '],
]

/** Functions and named parameters in Typst's formulas, in addition to its symbols. */
const functions = `
  abs accent attach bb binom bold cal cancel cases ceil class dif display floor frac frak hat inline italic limits lr
  mat mid mono norm op overbrace overbracket overline overparen primes root round sans script scripts serif sqrt
  sscript stretch underbrace underbracket underline underparen upright variant vec scr
  acute arrow breve caron circle dot diaer grave macron tilde dot.double dot.triple dot.quad arrow.l arrow.l.r harpoon
  arccos arcsin arctan arg cos cosh cot coth csc csch ctg deg det dim exp gcd lcm hom id im inf ker lg lim liminf
  limsup ln log max min mod Pr sec sech sin sinc sinh sup tan tanh tg tr thin med thick quad wide space.nobreak
  delim augment align`

const known = new Set([
  ...functions.split(/\s+/).filter(Boolean),
  ...[...symbolMap.values()].filter(word => /^[a-zA-Z][a-zA-Z.]*$/.test(word)),
])

/** Code that the converter itself generates. */
const ownCode =
  /^#(?:none|true|left|center|right|\d+|\(vline: \(\d+(?:, \d+)*\)\)|h\(-math\.thin\.amount\))(?![a-zA-Z(.[])/

/**
 * Converts a LaTeX formula to Typst's notation, without dollar signs; undefined if it cannot be converted and has to stay
 * text. The result contains only symbols, strings and math functions: LaTeX that tries to inject code is not treated as a
 * formula.
 */
export function typstEquation(latex: string): string | undefined {
  if (latex.length > MAX_LENGTH || depthOf(latex) > MAX_DEPTH) return undefined
  const plain = simplified.reduce((text, [pattern, to]) => text.replace(pattern, to), latex).trim()
  if (plain === '') return undefined
  try {
    const equation = tex2typst(plain)
    return isHarmless(equation) ? equation : undefined
  } catch {
    return undefined
  }
}

/** Whether a formula, read as by Typst's own lexer, contains only known words. */
function isHarmless(equation: string): boolean {
  let rest = equation
  let open = 0
  while (rest !== '') {
    const token =
      /^"(?:\\[\s\S]|[^"\\])*"/.exec(rest)?.[0] ??
      /^\\(?:[^\sA-Za-z]|(?=\s|$))/u.exec(rest)?.[0] ??
      ownCode.exec(rest)?.[0] ??
      /^[a-zA-Z][a-zA-Z]*(?:\.[a-zA-Z]+)*/.exec(rest)?.[0] ??
      rest[0]!
    if (/^[#$`"]$/.test(token) || /^(?:\/\/|\/\*)/.test(rest)) return false
    if (token === '\\' && rest.length > 1 && !/^\\\s/.test(rest)) return false
    if (/^[a-zA-Z]{2}|\./.test(token) && /^[a-zA-Z]/.test(token) && !known.has(token)) return false
    if (/^[([{]$/.test(token)) open++
    if (/^[)\]}]$/.test(token)) open--
    if (open > 40) return false
    rest = rest.slice(token.length)
  }
  return true
}
