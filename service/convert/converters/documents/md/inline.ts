import { attribute, type Token } from '../../../engines/documents/read/markdown/parse.ts'
import { literal, typstMaths } from '../../../engines/documents/typst/index.ts'
import type { Context } from './context.ts'
import { plainText } from './headings.ts'
import { htmlParts } from './html.ts'
import { setTag } from './html-tags.ts'
import { openLink, type Scope } from './links.ts'
import { Nesting } from './nesting.ts'
import { setPicture } from './picture.ts'

const marks: Record<string, string> = { em: '#emph[', strong: '#strong[', s: '#strike[' }

/**
 * Sets inline content.
 * @param inHeading whether notes and names are not marked, since contents and repeated table headers show them again
 */
export function setInline(tokens: readonly Token[], context: Context, inHeading = false): string {
  const out = new Nesting()
  const scope: Scope = { out, context, inHeading }
  for (const [at, token] of tokens.entries()) {
    const [, mark = '', side = ''] = /^(em|strong|s)_(open|close)$/.exec(token.type) ?? []
    if (side === 'open') out.open(`md:${mark}`, marks[mark]!)
    else if (side === 'close') out.close(`md:${mark}`)
    else if (token.type === 'text') out.write(context.text(token.content))
    else if (token.type === 'code_inline') out.write(`#raw(${literal(context.showable(token.content))});`)
    else if (token.type === 'softbreak') out.write(isWithinCjk(tokens, at) ? '' : ' ')
    else if (token.type === 'hardbreak') out.write('#linebreak();')
    else if (token.type === 'link_open') openLink(attribute(token, 'href'), scope)
    else if (token.type === 'link_close') out.close('link')
    else if (token.type === 'image') {
      const description = plainText(token.children ?? []) || attribute(token, 'title') || ''
      out.write(setPicture(attribute(token, 'src'), description, out.isIn('link'), context))
    } else if (token.type === 'html_inline') for (const part of htmlParts(token.content)) setTag(part, scope)
    else if (token.type === 'maths_inline') out.write(setMaths(token, false, context))
    else if (token.type === 'maths_display') out.write(setMaths(token, true, context))
    else if (token.type === 'footnote_ref') out.write(context.footnote(token, inHeading))
  }
  return out.finish()
}

/** A formula, or its LaTeX source if it cannot be set. */
export function setMaths(token: Token, display: boolean, context: Context): string {
  const formula = context.showable(token.content).replace(/\n\s*\n/g, '\n')
  const maths = context.isBadFormula(formula) ? undefined : typstMaths(formula)
  if (maths === undefined) {
    const marks = token.markup.startsWith('$') ? token.markup.replace('`', '') : '$$'
    return display ? `#raw(${literal(`$$${formula}$$`)});` : `#raw(${literal(`${marks}${formula}${marks}`)});`
  }
  context.formulas.set(formula, maths)
  return `#math.equation(block: ${display}, $${maths}$);`
}

/** Lines of Chinese and Japanese are joined without a space. */
function isWithinCjk(tokens: readonly Token[], at: number): boolean {
  const pattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
  const before = [...(tokens[at - 1]?.content ?? '')].at(-1) ?? ''
  const after = [...(tokens[at + 1]?.content ?? '')][0] ?? ''
  return pattern.test(before) && pattern.test(after)
}
