import { gunzipSync } from 'node:zlib'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
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
    throw new JobFailure('jobs.corrupt_input', message('svg.no_drawing'))
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

/** CSS pixels in a unit of length. */
const UNITS: Record<string, number> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
}

/**
 * Size of a drawing in CSS pixels. Lengths in units are measured here: librsvg's own idea of them has 72 dots per
 * inch where CSS has 96, and comes back rounded. Percentages, or none at all, are left to it.
 */
export async function drawingSize(drawing: Buffer): Promise<{ width: number; height: number }> {
  const text = drawing.toString('utf8').replace('<!--<svg-->', '')
  const root = /<(?:[\w.-]+:)?svg\b(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(text)?.[0] ?? ''
  const length = (name: string) => {
    const value = new RegExp(
      `\\s${name}\\s*=\\s*["']\\s*([\\d.]+(?:e[+-]?\\d+)?)\\s*([a-z]*)\\s*["']`,
      'i',
    ).exec(root)
    return value ? Number(value[1]) * (UNITS[(value[2] ?? '').toLowerCase()] ?? Number.NaN) : Number.NaN
  }
  const measured = { width: length('width'), height: length('height') }
  if (measured.width > 0 && measured.height > 0) return measured
  const { width, height } = await openPicture({ encoded: drawing })
  return { width, height }
}
