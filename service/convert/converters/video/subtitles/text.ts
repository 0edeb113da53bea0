/** What ffmpeg writes of subtitles, without what it takes along from the format that they were in. */

/** SubRip: fonts and sizes are those of the player, and only colours are kept. */
export const tidySrt = (text: string): string =>
  withoutFonts(text).replaceAll('\\h', '\u00a0').replace(/\r?\n/g, '\r\n')

/** ffmpeg closes each tag of a subtitle that it has opened. */
function withoutFonts(text: string): string {
  const open: boolean[] = []
  return text.replace(/<font([^>]*)>|<\/font>/g, (_tag, attributes?: string) => {
    if (attributes === undefined) return open.pop() ? '</font>' : ''
    const [, colour] = /\scolor="([^"]*)"/.exec(attributes) ?? []
    open.push(colour !== undefined)
    return colour === undefined ? '' : `<font color="${colour}">`
  })
}

/** WebVTT: ffmpeg writes signs of the text as they are, which browsers take for tags and entities. */
export const tidyVtt = (text: string): string =>
  text
    .replaceAll('\\h', '\u00a0')
    .split('\n')
    .map((line, index, lines) => (isTime(line, lines[index - 1]) || index === 0 ? line : escaped(line)))
    .join('\n')

/** The times of a subtitle follow a blank line, as no line of a text does. */
const isTime = (line: string, before: string | undefined): boolean =>
  before === '' && /^[\d:.]+ --> [\d:.]+/.test(line)

const escaped = (line: string): string =>
  line
    .replaceAll('&', '&amp;')
    .replace(/<(?!\/?[biu]>)/g, '&lt;')
    .replaceAll('-->', '--&gt;')

/** The words of SubRip subtitles, in lines as they are shown. */
export function wordsOf(srt: string): string {
  const lines = srt
    .split(/\r\n(?:\r\n)+(?=\d+\r\n[\d:,]+ --> |$)/)
    .flatMap(cue => cue.split('\r\n').slice(2))
    .map(line => line.replace(/\{\\[^}]*\}|<\/?(?:b|i|u|s|font)(?:\s[^>]*)?>/gi, '').trim())
    .filter(line => line !== '')
  return `${lines.join('\n')}\n`
}
