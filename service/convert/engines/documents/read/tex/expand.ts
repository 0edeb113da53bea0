/** Takes comments out of LaTeX, and puts what they stand for in the place of macros that it defines. */
import { Scanner } from './scanner.ts'
import { kindOf } from './words.ts'

interface Macro {
  arguments: number
  /** Its first argument where it is left out; undefined if it may not be. */
  standard: string | undefined
  body: string
}

/** Macros within one another, and how much all of them write besides the text: those that go on for ever stay as they are. */
const DEEPEST = 100
const MOST = 100_000
const LONGEST = 2_000_000

/** Where the text begins after what is only for its program; elsewhere, such words are quoted. */
export const BEGIN = '\u0001\\begin{document}'

const PLAIN = /[^\\%]+|%[^\n]*(?:\n[ \t]*)?|\\verb\*?([^a-zA-Z\s])[^\n]*?\1|\\(?:[a-zA-Z@]+\*?|[\s\S]?)/y

/**
 * @param isKnown whether a command is known anyway, and is not defined anew
 * @param unknown gets the names of macros that have no end
 */
export function expanded(source: string, isKnown: (name: string) => boolean, unknown: Set<string>): string {
  const macros = new Map<string, Macro>()
  const inputs = [new Scanner(source)]
  const out: string[] = []
  let count = 0
  let length = 0
  const longest = LONGEST + 2 * source.length
  /** The input that has something left. */
  const input = () => {
    while (inputs.length > 1 && inputs.at(-1)!.isAtEnd) inputs.pop()
    return inputs.at(-1)!
  }
  const define = (name: string, macro: Macro) => {
    if (!isKnown(name)) macros.set(name, macro)
  }
  const defineNew = (isEnvironment: boolean) => {
    const named = input().argument().trim()
    const macro = {
      arguments: Math.min(9, Number(input().option()) || 0),
      standard: input().option(),
      body: input().argument(),
    }
    define(isEnvironment ? `\\begin{${named}}` : named, macro)
    if (isEnvironment)
      define(`\\end{${named}}`, { arguments: 0, standard: undefined, body: input().argument() })
  }
  const use = (written: string, { arguments: wanted, standard, body }: Macro) => {
    const given = Array.from({ length: wanted }, (_, nth) =>
      nth === 0 && standard !== undefined ? (input().option() ?? standard) : input().argument(),
    )
    length += body.length + (body.split('#').length - 1) * Math.max(0, ...given.map(text => text.length))
    if (inputs.length > DEEPEST || ++count > MOST || length > longest) {
      unknown.add(written)
      out.push(written, ...given)
      return
    }
    const keepsSpace = wanted > 0 || /\\xspace\s*$/.test(body) || written.startsWith('\\end')
    if (!keepsSpace) input().take(/[ \t]*(?:\n[ \t]*(?!\s*\n))?/y)
    // A command at the end must not go on with the letters after it.
    const text = body.replace(/\\xspace\s*$/, '').replace(/(\\[a-zA-Z]+)?#(\d)/g, (_, before = '', digit) => {
      const argument = apart(given[Number(digit) - 1] ?? '')
      return before + (before && /^[a-zA-Z]/.test(argument) ? ' ' : '') + argument
    })
    inputs.push(new Scanner(apart(text)))
  }
  for (let from = input(); !from.isAtEnd; from = input()) {
    const { 0: written, 1: verbatim } = from.take(PLAIN)!
    const name = written.replace(/\*$/, '')
    const address = /^\\(?:url|href|nolinkurl|path)$/.test(written) && from.take(/\s*\{([^{}\s]*)\}/y)
    if (written.startsWith('%')) {
      // An empty line after a comment still ends the paragraph.
      if (from.text[from.at] === '\n' && written.endsWith('\n')) out.push('\n')
    } else if (address) out.push(`${written}{${address[1]!.replace(/(?<!\\)%/g, '\\%')}}`)
    else if (verbatim || !written.startsWith('\\')) out.push(written)
    else if (DEFINITION.test(name)) defineNew(false)
    else if (/^\\(?:re)?newenvironment$/.test(name)) defineNew(true)
    else if (name === '\\DeclareMathOperator') {
      const named = from.argument()
      define(named, { arguments: 0, standard: undefined, body: `\\operatorname{${from.argument()}}` })
    } else if (/^\\[gex]?def$/.test(name)) {
      const named = from.argument()
      const parameters = from.take(/[^{}\\]*/y)![0]
      const macro = {
        arguments: Math.min(9, parameters.length / 2),
        standard: undefined,
        body: from.argument(),
      }
      if (/^(?:#\d)*$/.test(parameters)) define(named, macro)
    } else if (name === '\\let') {
      const named = from.argument()
      from.take(/\s*=?/y)
      define(named, { arguments: 0, standard: undefined, body: from.argument() })
    } else if (name === '\\iffalse') from.until('\\fi')
    else if (name === '\\begin' || name === '\\end') {
      const [braces = '', environment = ''] = from.take(/\{([^{}\\]*)\}/y) ?? []
      const whole = written + braces
      const macro = macros.get(whole)
      if (name === '\\begin' && kindOf(environment) === 'verbatim') {
        const end = `\\end{${environment}}`
        const inner = from.until(end)
        if (!/^(?:comment|filecontents)/.test(environment)) out.push(whole, inner, end)
      } else if (macro) use(whole, macro)
      else out.push(whole === '\\begin{document}' ? BEGIN : whole)
    } else {
      const macro = macros.get(written) ?? macros.get(name)
      if (macro) use(name, macro)
      else out.push(written)
    }
  }
  return out.join('')
}

const DEFINITION = /^\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)$/

/** A command at the end of a text would go on with the letters after it. */
const apart = (text: string) => (/\\[a-zA-Z]+$/.test(text) ? `${text} ` : text)

/** The commands before a text that say something of it. */
export function factsIn(head: string): string {
  const source = new Scanner(head)
  let facts = ''
  while (!source.isAtEnd) {
    const name = source.take(/\\(?:title|author|date|newtheorem\*?)(?![a-zA-Z])/y)?.[0]
    if (!name) source.take(/\\?[^\\]*/y)
    else {
      const given = name.startsWith('\\new') ? `{${source.argument()}}` : ''
      source.option()
      facts += `${name}${given}{${source.argument()}}`
    }
  }
  return facts
}
