/** Plain-text books, as used by the first readers on Palm organisers. */

const TAGS = /<\/?(?:html|body|p|br|div|h[1-6]|a|b|i|font|hr|img)\b[^>]{0,200}>/i

export const isPlain = (source: string): boolean => !TAGS.test(source)

/** Turns lines into paragraphs and form feeds into page breaks. Input and output have one character per byte. */
export function markUp(source: string): string {
  const lines = source
    .replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)
    .replaceAll('\f', '\n\f\n')
    .split(/\r\n?|\n/)
  return lines
    .map(line => (line === '\f' ? '<mbp:pagebreak/>' : line.trim() === '' ? '' : `<p>${line}</p>`))
    .filter(Boolean)
    .join('\n')
}
