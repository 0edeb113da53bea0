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
export function latexOf(equation: Equation): string {
  switch (equation.kind) {
    case 'row':
      return joined(equation.parts.map(latexOf))
    case 'words':
      return `\\text{${equation.text.replace(/[\\{}$%#&_^~]/g, sign => (sign === '\\' || sign === '^' || sign === '~' ? '' : `\\${sign}`))}}`
    case 'number':
    case 'identifier':
    case 'operator':
      return letters(equation.text, equation.variant)
    case 'fraction':
      if (equation.sloped) return `${group(equation.over)}/${group(equation.under)}`
      if (!equation.bar) return `{${latexOf(equation.over)} \\atop ${latexOf(equation.under)}}`
      return `\\frac{${latexOf(equation.over)}}{${latexOf(equation.under)}}`
    case 'scripts':
      return `${group(equation.base)}${script('_', equation.sub)}${script('^', equation.sup)}`
    case 'prescripts':
      return `{}${script('_', equation.sub)}${script('^', equation.sup)}${group(equation.base)}`
    case 'limits':
      return limits(equation)
    case 'root':
      return `\\sqrt${equation.degree ? `[${latexOf(equation.degree)}]` : ''}{${latexOf(equation.body)}}`
    case 'fence': {
      const [only] = equation.parts
      // Parentheses around a fraction without a bar make it a binomial coefficient.
      if (
        equation.parts.length === 1 &&
        only?.kind === 'fraction' &&
        !only.bar &&
        equation.open === '(' &&
        equation.close === ')'
      ) {
        return `\\binom{${latexOf(only.over)}}{${latexOf(only.under)}}`
      }
      const between = equation.separator ? ` ${fence(equation.separator)} ` : ' '
      return `\\left${fence(equation.open)} ${equation.parts.map(latexOf).join(between)} \\right${fence(equation.close)}`
    }
    case 'matrix':
      return matrix(equation)
    case 'lines':
      if (equation.rows.length === 1) return latexOf(equation.rows[0]!)
      // Word marks alignment points with &, too.
      return `\\begin{aligned}${equation.rows.map(row => latexOf(row).replaceAll('\\&', '&')).join(' \\\\ ')}\\end{aligned}`
    case 'accent': {
      const name = ownValue(accents, equation.mark) ?? (equation.mark === '¯' ? 'overline' : 'hat')
      return `\\${equation.below && name === 'overline' ? 'underline' : name}{${latexOf(equation.body)}}`
    }
    case 'box':
      return `\\boxed{${latexOf(equation.body)}}`
    case 'space':
      return equation.width >= 2
        ? '\\qquad '
        : equation.width >= 1
          ? '\\quad '
          : equation.width > 0.2
            ? '\\ '
            : '\\,'
    case 'phantom':
      return `\\phantom{${latexOf(equation.body)}}`
  }
}

function matrix({ rows, columns }: Extract<Equation, { kind: 'matrix' }>): string {
  const body = rows.map(row => row.map(latexOf).join(' & ')).join(' \\\\ ')
  if (!columns) return `\\begin{matrix}${body}\\end{matrix}`
  return `\\begin{array}{${columns.map(column => column[0]).join('')}}${body}\\end{array}`
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

function letters(text: string, variant: Variant | undefined): string {
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
