import { ownValue } from '../../../engines/common/own-value.ts'
import { literal } from '../../../engines/documents/typst/index.ts'
import { nameOf } from './headings.ts'
import type { HtmlPart } from './html.ts'
import { openLink, type Scope } from './links.ts'
import { setPicture } from './picture.ts'

/** Inline elements and their markup. All others only show their content. */
const inlineElements: Record<string, string> = {
  b: '#strong[',
  strong: '#strong[',
  i: '#emph[',
  em: '#emph[',
  cite: '#emph[',
  dfn: '#emph[',
  var: '#emph[',
  s: '#strike[',
  del: '#strike[',
  strike: '#strike[',
  u: '#underline[',
  ins: '#underline[',
  sub: '#sub[',
  sup: '#super[',
  // Typst sets nothing above text, so a reading stands raised behind it.
  rt: '#super[',
  mark: '#highlight[',
  small: '#text(size: 0.85em)[',
  kbd: '#kbd[',
  code: '#code[',
  tt: '#code[',
  samp: '#code[',
}

/** Sets an inline HTML tag or text. */
export function setTag(part: HtmlPart, scope: Scope): void {
  const { out, context } = scope
  if (part.kind === 'text') {
    out.write(context.text(part.text.replace(/\s+/g, ' ')))
    return
  }
  const { name } = part
  if (part.kind === 'close') {
    out.close(name === 'a' ? 'link' : name)
    return
  }
  const { attributes } = part
  if (!scope.inHeading) out.write(context.anchor(nameOf(attributes)))
  const mark = ownValue(inlineElements, name)
  if (mark) out.open(name, mark)
  else if (name === 'a') {
    // A link target often has no content and no end tag.
    if (attributes.href !== undefined) openLink(attributes.href, scope)
  } else if (name === 'br') out.write('#linebreak();')
  else if (name === 'wbr') out.write(`#${literal('\u200b')};`)
  else if (name === 'q') {
    out.write(`#${literal('“')};`)
    out.open('q', '', `#${literal('”')};`)
  } else if (name === 'img') {
    const points = /^\d{1,4}(?:px)?$/.test(attributes.width ?? '')
      ? Number.parseInt(attributes.width!, 10) * 0.75
      : 0
    const wanted = points > 0 ? { width: points } : {}
    const description = attributes.alt || attributes.title || ''
    out.write(setPicture(attributes.src ?? '', description, out.isIn('link'), context, wanted))
  } else if (name === 'input' && attributes.type === 'checkbox') {
    // Checkboxes of a task list take the place of the bullets.
    const name = attributes.class === 'task-list-item-checkbox' ? 'task' : 'checkbox'
    out.write(`#${name}(${attributes.checked !== undefined});`)
  }
}
