import { type ByKind, byKind } from '../../common/by-kind.ts'
import { ownValue } from '../../common/own-value.ts'
import type { Equation, Variant } from './model.ts'

/** Symbols whose LaTeX differs from the symbol itself. */
const signs: Record<string, string> = Object.fromEntries(
  `α \\alpha β \\beta γ \\gamma δ \\delta ε \\varepsilon ϵ \\epsilon ζ \\zeta η \\eta θ \\theta ϑ \\vartheta ι \\iota κ \\kappa λ \\lambda μ \\mu
  ν \\nu ξ \\xi π \\pi ϖ \\varpi ρ \\rho ϱ \\varrho σ \\sigma ς \\varsigma τ \\tau υ \\upsilon φ \\varphi ϕ \\phi χ \\chi ψ \\psi ω \\omega
  Γ \\Gamma Δ \\Delta Θ \\Theta Λ \\Lambda Ξ \\Xi Π \\Pi Σ \\Sigma Υ \\Upsilon Φ \\Phi Ψ \\Psi Ω \\Omega
  ∑ \\sum ∏ \\prod ∐ \\coprod ∫ \\int ∬ \\iint ∭ \\iiint ∮ \\oint ⋃ \\bigcup ⋂ \\bigcap ⋁ \\bigvee ⋀ \\bigwedge ⨁ \\bigoplus ⨂ \\bigotimes
  × \\times ÷ \\div ± \\pm ∓ \\mp ⋅ \\cdot · \\cdot ∗ * − - ∘ \\circ ∙ \\bullet ⊕ \\oplus ⊗ \\otimes ⊙ \\odot
  ≤ \\le ≥ \\ge ≠ \\ne ≈ \\approx ≡ \\equiv ≅ \\cong ∼ \\sim ≃ \\simeq ∝ \\propto ≪ \\ll ≫ \\gg ≺ \\prec ≻ \\succ
  ∈ \\in ∉ \\notin ∋ \\ni ⊂ \\subset ⊃ \\supset ⊆ \\subseteq ⊇ \\supseteq ∪ \\cup ∩ \\cap ∅ \\emptyset ∖ \\setminus
  ∀ \\forall ∃ \\exists ∄ \\nexists ¬ \\neg ∧ \\wedge ∨ \\vee ⊢ \\vdash ⊨ \\models ⊥ \\perp ∥ \\parallel ∠ \\angle △ \\triangle
  → \\to ← \\leftarrow ↔ \\leftrightarrow ⇒ \\Rightarrow ⇐ \\Leftarrow ⇔ \\Leftrightarrow ↦ \\mapsto ↑ \\uparrow ↓ \\downarrow ⟶ \\longrightarrow ⟹ \\Longrightarrow
  ∞ \\infty ∂ \\partial ∇ \\nabla ′ ' ″ '' … \\ldots ⋯ \\cdots ⋮ \\vdots ⋱ \\ddots ℏ \\hbar ℓ \\ell ℜ \\Re ℑ \\Im ℵ \\aleph ° ^{\\circ}
  ∴ \\therefore ∵ \\because † \\dagger ‡ \\ddagger ⟨ \\langle ⟩ \\rangle ⌈ \\lceil ⌉ \\rceil ⌊ \\lfloor ⌋ \\rfloor ‖ \\| ∣ \\mid
  ℝ \\mathbb{R} ℕ \\mathbb{N} ℤ \\mathbb{Z} ℚ \\mathbb{Q} ℂ \\mathbb{C}
  { \\{ } \\} # \\# % \\% & \\& $ \\$ _ \\_ \\ \\backslash ~ \\sim ^ \\hat{}`
    .trim()
    .split(/\s+/)
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])),
)

const variants: Record<Variant, string> = {
  plain: 'mathrm',
  bold: 'mathbf',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'double-struck': 'mathbb',
  sans: 'mathsf',
  mono: 'mathtt',
}

const FUNCTIONS =
  /^(?:arccos|arcsin|arctan|arg|cos|cosh|cot|coth|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|liminf|limsup|ln|log|max|min|Pr|sec|sin|sinh|sup|tan|tanh)$/

const accents: Record<string, string> = {
  '\u0302': 'hat',
  '^': 'hat',
  ˆ: 'hat',
  '\u0303': 'tilde',
  '~': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u20d7': 'vec',
  '→': 'vec',
  '⏞': 'overbrace',
  '⏟': 'underbrace',
}

/** A formula in LaTeX. */
export const latexOf = (equation: Equation): string => byKind(WRITERS, equation)

const WRITERS: ByKind<Equation, string> = {
  row: ({ parts }) => joined(parts.map(latexOf)),
  words: ({ text }) =>
    `\\text{${text.replace(/[\\{}$%#&_^~]/g, sign => (sign === '\\' || sign === '^' || sign === '~' ? '' : `\\${sign}`))}}`,
  number: letters,
  identifier: letters,
  operator: letters,
  fraction: ({ over, under, bar, sloped }) => {
    if (sloped) return `${group(over)}/${group(under)}`
    return bar ? `\\frac{${latexOf(over)}}{${latexOf(under)}}` : `{${latexOf(over)} \\atop ${latexOf(under)}}`
  },
  scripts: ({ base, sub, sup }) => `${group(base)}${script('_', sub)}${script('^', sup)}`,
  prescripts: ({ base, sub, sup }) => `{}${script('_', sub)}${script('^', sup)}${group(base)}`,
  limits,
  root: ({ body, degree }) => `\\sqrt${degree ? `[${latexOf(degree)}]` : ''}{${latexOf(body)}}`,
  fence: ({ open, close, separator, parts }) => {
    const only = parts.length === 1 ? parts[0] : undefined
    // Parentheses around a fraction without a bar make it a binomial coefficient.
    if (only?.kind === 'fraction' && !only.bar && open === '(' && close === ')')
      return `\\binom{${latexOf(only.over)}}{${latexOf(only.under)}}`
    const between = separator ? ` ${fence(separator)} ` : ' '
    return `\\left${fence(open)} ${parts.map(latexOf).join(between)} \\right${fence(close)}`
  },
  matrix: ({ rows, columns }) => {
    const body = rows.map(row => row.map(latexOf).join(' & ')).join(' \\\\ ')
    if (!columns) return `\\begin{matrix}${body}\\end{matrix}`
    return `\\begin{array}{${columns.map(column => column[0]).join('')}}${body}\\end{array}`
  },
  lines: ({ rows }) => {
    if (rows.length === 1) return latexOf(rows[0]!)
    // Word marks alignment points with &, too.
    return `\\begin{aligned}${rows.map(row => latexOf(row).replaceAll('\\&', '&')).join(' \\\\ ')}\\end{aligned}`
  },
  accent: ({ mark, body, below }) => {
    const name = ownValue(accents, mark) ?? (mark === '¯' ? 'overline' : 'hat')
    return `\\${below && name === 'overline' ? 'underline' : name}{${latexOf(body)}}`
  },
  box: ({ body }) => `\\boxed{${latexOf(body)}}`,
  space: ({ width }) => (width >= 2 ? '\\qquad ' : width >= 1 ? '\\quad ' : width > 0.2 ? '\\ ' : '\\,'),
  phantom: ({ body }) => `\\phantom{${latexOf(body)}}`,
}

const script = (sign: string, equation: Equation | undefined) =>
  equation ? `${sign}{${latexOf(equation)}}` : ''

/** Adds braces unless the LaTeX is a single symbol or command. */
function group(equation: Equation): string {
  const latex = latexOf(equation)
  return /^(?:[^\\{}]|\\[a-zA-Z]+|\\[a-z]+\{[^{}]*\})?$/u.test(latex) && latex !== '' ? latex : `{${latex}}`
}

function limits({ base, under, over }: Extract<Equation, { kind: 'limits' }>): string {
  const latex = latexOf(base)
  if (
    /^\\(?:sum|prod|coprod|int|iint|iiint|oint|big\w+|lim|max|min|sup|inf|liminf|limsup|under\w+|over\w+)\b/.test(
      latex,
    )
  ) {
    return `${latex}${script('_', under)}${script('^', over)}`
  }
  const lower = under ? `\\underset{${latexOf(under)}}{${latex}}` : latex
  return over ? `\\overset{${latexOf(over)}}{${lower}}` : lower
}

/** A bracket as an argument of `\left`. */
const fence = (sign: string) => (sign === '' ? '.' : (signs[sign] ?? sign))

function letters({ text, variant }: { text: string; variant?: Variant | undefined }): string {
  if (variant === 'plain' && FUNCTIONS.test(text)) return `\\${text}`
  const latex = joined([...text].map(letter => signs[letter] ?? plainLetter(letter)))
  const isLatin = /^[\p{Script=Latin}\d]+$/u.test(text)
  return variant && isLatin ? `\\${variants[variant]}{${latex}}` : latex
}

/** The plain letter for one of Unicode's mathematical alphanumeric symbols. */
const plainLetter = (letter: string) =>
  /[\u{1d400}-\u{1d7ff}]/u.test(letter)
    ? (signs[letter.normalize('NFKC')] ?? letter.normalize('NFKC'))
    : letter

/** Joins parts, separating a command from a letter that would otherwise extend it. */
function joined(parts: readonly string[]): string {
  let latex = ''
  for (const part of parts) {
    const needsSpace = /\\[a-zA-Z]+$/.test(latex) && /^[a-zA-Z]/.test(part)
    latex += needsSpace ? ` ${part}` : part
  }
  return latex
}
