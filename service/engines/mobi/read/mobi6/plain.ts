/** Books of plain text, as the first readers of Palm organisers had them. */

const TAGS = /<\/?(?:html|body|p|br|div|h[1-6]|a|b|i|font|hr|img)\b[^>]{0,200}>/i

export const isPlain = (source: string): boolean => !TAGS.test(source)

/** Lines become paragraphs, and form feeds page breaks; one character stands for each byte before and after. */
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
