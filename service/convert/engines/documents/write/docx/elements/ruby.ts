import { escapeXml } from '../../../../common/xml/characters.ts'
import { textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { sizeOfStyle } from '../../../word/styles.ts'
import { type Look, runXml } from '../look.ts'

/** Text with its reading above it: ECMA-376, part 1, 17.3.3.25. */
export function rubyXml(ruby: XmlElement, look: Look, style: string, language: string): string {
  const pairs: { base: string; reading: string }[] = []
  let bases: string[] = []
  let next = 0
  for (const child of ruby.children) {
    const name = typeof child === 'object' ? child.name : ''
    const text = (typeof child === 'string' ? child : textOf(child)).replace(/\s+/g, ' ').trim()
    if (name === 'rp' || (text === '' && name !== 'rt')) continue
    if (name === 'rt' || name === 'rtc') {
      // Readings follow each base, or all of them after all bases.
      const base = bases[next]
      if (base !== undefined) pairs.push({ base, reading: text })
      else if (pairs.length > 0) pairs.at(-1)!.reading += text
      next += 1
    } else {
      if (next > 0) {
        for (const base of bases.slice(next)) pairs.push({ base, reading: '' })
        bases = []
        next = 0
      }
      bases.push(text)
    }
  }
  for (const base of bases.slice(next)) pairs.push({ base, reading: '' })
  const size = sizeOfStyle(style)
  const own = (text: string, scale: number) =>
    `<w:r>${runXml({ ...look, scale: look.scale * scale, link: undefined }, style, text)}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  const id = escapeXml(look.language ?? language)
  return pairs
    .map(({ base, reading }) =>
      reading === ''
        ? own(base, 1)
        : `<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="distributeSpace"/><w:hps w:val="${Math.round(size / 2)}"/><w:hpsRaise w:val="${size - 2}"/><w:hpsBaseText w:val="${size}"/><w:lid w:val="${id}"/></w:rubyPr><w:rt>${own(reading, 0.5)}</w:rt><w:rubyBase>${own(base, 1)}</w:rubyBase></w:ruby></w:r>`,
    )
    .join('')
}
