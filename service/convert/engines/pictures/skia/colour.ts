/** Colours in the syntax of CSS Color 4 and 5, which Skia reads and converts to sRGB. */
import { createRequire } from 'node:module'
import type { SKRSContext2D } from '@napi-rs/canvas'
import { splitAt } from '../../common/css/values.ts'

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
type Rgba = [number, number, number, number]

/** A colour that nobody names, which stays where another one is invalid. */
const UNNAMED = 'rgba(1, 2, 3, 0.004)'

const require = createRequire(import.meta.url)
let context: SKRSContext2D | undefined

/** Loaded where it is needed, since most documents have none but hexadecimal colours. */
function pixel(): SKRSContext2D {
  const { createCanvas }: typeof import('@napi-rs/canvas') = require('@napi-rs/canvas')
  context ??= createCanvas(1, 1).getContext('2d')
  return context
}

/** Parses a colour; undefined if it is invalid, or depends on where it stands. */
export function parseColour(text: string): Rgba | undefined {
  const given = text.trim().toLowerCase()
  if (/^#[\da-f]{6}$/.test(given)) return fromHex(given)
  if (given === 'currentcolor') return undefined
  const light = /^light-dark\((.*)\)$/s.exec(given)?.[1]
  if (light !== undefined) return parseColour(splitAt(light, ',')[0] ?? '')
  const drawn = pixel()
  drawn.fillStyle = UNNAMED
  drawn.fillStyle = given
  const found = String(drawn.fillStyle)
  if (found === UNNAMED) return undefined
  if (found.startsWith('#')) return fromHex(found)
  if (found.startsWith('rgba')) return found.match(/[\d.]+/g)!.map(Number) as Rgba
  // Of other spaces a pixel tells what they are in sRGB; its alpha would cost precision.
  const [opaque, alpha = 1] = found.slice(0, -1).split(' / ')
  drawn.fillStyle = `${opaque})`
  drawn.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = drawn.getImageData(0, 0, 1, 1).data
  return [red, green, blue, Number(alpha)]
}

const fromHex = (hex: string) => [...Buffer.from(hex.slice(1), 'hex'), 1] as Rgba

/** A colour in a form that every renderer reads, if it is a function or among the newest names; otherwise the text unchanged. */
export function plainColour(text: string): string {
  const isNew = /\(|^\s*rebeccapurple\s*$/i.test(text) && !/^\s*url\(/i.test(text)
  const colour = isNew ? parseColour(text) : undefined
  return colour ? `rgba(${colour.join()})` : text
}
