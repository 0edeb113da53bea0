import { gunzipSync } from 'node:zlib'
import { JobFailure } from '../../errors.ts'
import { openPicture } from './picture.ts'

/** Largest drawing after unpacking. */
const TEXT_LIMIT = 250_000_000

/**
 * An SVG file as bytes that sharp recognises: unpacked, in UTF-8. libvips looks for the root element in the first
 * thousand bytes only, and long comments or entity lists may stand before it, so its name is put in front.
 * @throws JobFailure corrupt_input
 */
export function readDrawing(file: Buffer): Buffer {
  const text = decode(unpack(file)).replace(/^\s+/, '')
  if (!/<(?:[\w.-]+:)?svg[\s>/]/.test(text)) {
    throw new JobFailure('jobs.corrupt_input', 'The file holds no SVG drawing.')
  }
  const declaration = /^<\?xml[^>]*\?>/.exec(text)?.[0] ?? ''
  const rest = text.slice(declaration.length)
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><!--<svg-->${rest}`)
}

function unpack(file: Buffer): Buffer {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file
  try {
    return gunzipSync(file, { maxOutputLength: TEXT_LIMIT })
  } catch (cause) {
    throw new JobFailure('jobs.corrupt_input', undefined, { cause })
  }
}

/** Text by its byte order mark, else by the encoding its declaration names, else UTF-8. */
function decode(bytes: Buffer): string {
  const named = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  try {
    return new TextDecoder(mark ?? named ?? 'utf-8').decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** Units of print; librsvg measures them at 72 per inch where CSS says 96. */
const PHYSICAL = /^\s*[\d.eE+-]+\s*(?:in|cm|mm|q|pt|pc)\s*$/i

/** Size of a drawing in CSS pixels. */
export async function drawingSize(drawing: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await openPicture({ encoded: drawing })
  const root = /<(?:[\w.-]+:)?svg\b(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(
    drawing.toString('utf8').replace('<!--<svg-->', ''),
  )
  const attribute = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(root?.[0] ?? '')?.[1]
  const printed = PHYSICAL.test(attribute('width') ?? '') || PHYSICAL.test(attribute('height') ?? '')
  const scale = printed ? 96 / 72 : 1
  return { width: width * scale, height: height * scale }
}
