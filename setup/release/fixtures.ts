import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'

/** One conversion by each engine that a package must bring. */
export interface Fixture {
  name: string
  target: string
  /** The file, or the name of an earlier one whose result it is. */
  content: Buffer | string
  /** How the result begins, in Latin 1. */
  magic: string
}

const base64 = (text: string) => Buffer.from(text, 'base64')

/** A tenth of a second of silence: 16-bit mono at 8 kHz. */
function silence(): Buffer {
  const wav = Buffer.alloc(44 + 1600)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8000, 24)
  wav.writeUInt32LE(16000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(1600, 40)
  return wav
}

/** Eight by eight pixels. */
export const picture = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIEAIAAAAb/fWfAAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAABmJLR0T///////8JWPfcAAAAB3RJTUUH6gsXBScpX6kkkQAAAEJJREFUGNOV0FENACAUQtHrZpRnGMM8w2gXy2AXrSD8n8Eo92KlKCGmAbagxz+oZ3gNVQltGZN6wJYBYoLSAADOtQ+WdhADNKuIKQAAACV0RVh0ZGF0ZTpjcmVhdGUAMjAyNi0xMS0yM1QwNTozOTo0MSswMDowMGv5WM8AAAAldEVYdGRhdGU6bW9kaWZ5ADIwMjYtMTEtMjNUMDU6Mzk6NDErMDA6MDAapOBzAAAAAElFTkSuQmCC',
)

export const fixtures = (): Fixture[] => [
  { name: 'picture.png', target: 'webp', content: picture, magic: 'RIFF' },
  { name: 'drawing.svg', target: 'png', content: svg, magic: '\u0089PNG' },
  { name: 'sound.wav', target: 'flac', content: silence(), magic: 'fLaC' },
  { name: 'text.md', target: 'pdf', content: Buffer.from('# Title\n\nA paragraph.\n'), magic: '%PDF' },
  { name: 'text.pdf', target: 'docx', content: 'text.md', magic: 'PK' },
  { name: 'book.pdf', target: 'epub', content: 'text.md', magic: 'PK' },
  { name: 'letter.rtf', target: 'pdf', content: Buffer.from('{\\rtf1\\ansi Hello\\par}'), magic: '%PDF' },
  {
    name: 'font.ttf',
    target: 'woff2',
    content: readFileSync(join(root, 'resources', 'fonts', 'Cousine-Regular.ttf')),
    magic: 'wOF2',
  },
  { name: 'archive.zip', target: 'tar-gz', content: zip, magic: '\u001f\u008b' },
]

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>',
)
const zip = base64(
  'UEsDBAoAAAAAAPQsd12fqBf4BAAAAAQAAAAFAAAAYS50eHRvbmUKUEsBAh4DCgAAAAAA9Cx3XZ+oF/gEAAAABAAAAAUAAAAAAAAAAQAAAKSBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACcAAAAAAA==',
)
