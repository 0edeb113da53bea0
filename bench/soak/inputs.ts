/** The inputs of a soak test: small generated files for every kind of work. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import sharp from 'sharp'

export interface SoakInput {
  name: string
  bytes: Buffer
  target: string
}

const SAMPLE_RATE = 8000
const SECONDS = 2

function tone(): Buffer {
  const samples = Int16Array.from({ length: SAMPLE_RATE * SECONDS }, (_, index) => 8000 * Math.sin(index / 5))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

const noise = sharp(randomBytes(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } })
const font = join(import.meta.dirname, '..', '..', 'resources', 'fonts', 'DejaVuSans.ttf')
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><circle cx="50" cy="50" r="40"/></svg>'
const markdown = `# A title\n\n${'Some *text* with a [link](https://example.com).\n\n'.repeat(40)}`
const jpg = await noise.clone().jpeg().toBuffer()
const png = await noise.clone().png().toBuffer()

export const inputs: readonly SoakInput[] = [
  { name: 'a.jpg', bytes: jpg, target: 'webp' },
  { name: 'a.jpg', bytes: jpg, target: 'png' },
  { name: 'a.jpg', bytes: jpg, target: 'pdf' },
  { name: 'a.png', bytes: png, target: 'jpg' },
  { name: 'a.svg', bytes: Buffer.from(svg), target: 'png' },
  { name: 'a.md', bytes: Buffer.from(markdown), target: 'pdf' },
  { name: 'a.wav', bytes: tone(), target: 'mp3' },
  { name: 'a.wav', bytes: tone(), target: 'flac' },
  { name: 'a.ttf', bytes: readFileSync(font), target: 'woff' },
  { name: 'a.zip', bytes: Buffer.from(zipSync({ 'a.txt': Buffer.from(markdown) })), target: 'tar' },
]

/** The same file, truncated or with some bytes changed, but still recognisable as its format. */
export function poison(input: SoakInput, random: () => number): SoakInput {
  const bytes = Buffer.from(input.bytes)
  if (random() < 0.5)
    return { ...input, bytes: bytes.subarray(0, Math.max(16, Math.floor(bytes.length * random()))) }
  for (let count = 0; count < 20; count++)
    bytes[16 + Math.floor(random() * (bytes.length - 16))] = Math.floor(random() * 256)
  return { ...input, bytes }
}
