/** Converts colours in the syntax of CSS Color 4 and 5 to sRGB. */
import { lightOf, signalOf } from '../srgb.ts'
import { degrees } from './length.ts'
import { readDeclarations } from './sheet.ts'
import { call, splitAt, words } from './values.ts'

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
type Rgba = [number, number, number, number]

/** Properties whose value is a colour. */
export const COLOUR_PROPERTIES =
  'fill stroke color stop-color flood-color lighting-color background-color'.split(' ')

const functions = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix'.split(' '))

/** A colour in a form that every renderer reads, if it is one of the newer functions; otherwise the text unchanged. */
export function plainColour(text: string): string {
  const lower = text.trim().toLowerCase()
  if (lower === 'rebeccapurple') return '#663399'
  const { name, inner = '' } = call(lower) ?? {}
  if (name === 'light-dark') return plainColour(splitAt(inner, ',')[0] ?? '')
  if (!name || !functions.has(name)) return text
  const colour = parseColour(lower)
  if (!colour) return text
  const [red, green, blue, alpha] = colour
  const byte = (value: number) => Math.round(Math.min(255, Math.max(0, value)))
  return `rgba(${byte(red)},${byte(green)},${byte(blue)},${Number(Math.min(1, Math.max(0, alpha)).toFixed(4))})`
}

const named = new Map(
  readDeclarations(`
  black: #000000; white: #ffffff; red: #ff0000; lime: #00ff00; green: #008000; blue: #0000ff; yellow: #ffff00;
  cyan: #00ffff; aqua: #00ffff; magenta: #ff00ff; fuchsia: #ff00ff; gray: #808080; grey: #808080; silver: #c0c0c0;
  maroon: #800000; olive: #808000; navy: #000080; teal: #008080; purple: #800080; orange: #ffa500; pink: #ffc0cb;
  brown: #a52a2a; gold: #ffd700; darkblue: #00008b; darkred: #8b0000; darkgreen: #006400; dimgray: #696969;
  transparent: #00000000`).map(({ name, value }) => [name, value]),
)

/** Parses a colour; undefined if it is invalid or one of the rarer names. */
export function parseColour(text: string): Rgba | undefined {
  const lower = text.trim().toLowerCase()
  const hex = named.get(lower) ?? lower
  if (hex.startsWith('#')) return fromHex(hex.slice(1))
  const parsed = call(lower)
  if (!parsed || !functions.has(parsed.name)) return undefined
  const { name, inner } = parsed
  if (name === 'color-mix') return mix(inner)
  const [coordinates = '', slashAlpha] = splitAt(inner, '/')
  let parts = coordinates.includes(',') ? splitAt(coordinates, ',') : words(coordinates)
  const space = name === 'color' ? parts[0] : undefined
  if (space !== undefined) parts = parts.slice(1)
  if (parts.length < 3 || parts.length > 4) return undefined
  const [a, b, c, commaAlpha] = parts as [string, string, string, string?]
  const alpha = number(slashAlpha ?? commaAlpha ?? '1', 1)
  const rgb = convert(name, [a, b, c], space)
  return rgb && !rgb.some(Number.isNaN) && !Number.isNaN(alpha) ? [...rgb, alpha] : undefined
}

function fromHex(digits: string): Rgba | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits
  const [red, green, blue, alpha = 255] = long.match(/../g)!.map(pair => Number.parseInt(pair, 16))
  return [red!, green!, blue!, alpha / 255]
}

/** A number, or a percentage of `whole`. */
function number(text: string, whole: number): number {
  if (text === 'none') return 0
  const [, digits, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)$/.exec(text) ?? []
  if (digits === undefined) return Number.NaN
  return unit === '%' ? (Number(digits) / 100) * whole : Number(digits)
}

/** A percentage, or hundredths without their sign, as a share. */
const hundredths = (text: string) => number(text, 1) / (text.endsWith('%') ? 1 : 100)

/** An angle in degrees. */
const hue = (text: string) => (text === 'none' ? 0 : degrees(text))

/** The place at a distance and an angle from the middle. */
function polar(distance: number, angle: number): [number, number] {
  const turn = (angle * Math.PI) / 180
  return [distance * Math.cos(turn), distance * Math.sin(turn)]
}

type Triple = [number, number, number]

function convert(
  name: string,
  [a, b, c]: [string, string, string],
  space: string | undefined,
): Triple | undefined {
  switch (name) {
    case 'rgb':
    case 'rgba':
      return [number(a, 255), number(b, 255), number(c, 255)]
    case 'hsl':
    case 'hsla':
      return fromHsl(hue(a), hundredths(b), hundredths(c))
    case 'hwb': {
      const [white, black] = [hundredths(b), hundredths(c)]
      const grey = (255 * white) / (white + black)
      if (white + black >= 1) return [grey, grey, grey]
      return fromHsl(hue(a), 1, 0.5).map(value => value * (1 - white - black) + white * 255) as Triple
    }
    case 'lab':
      return fromLab(number(a, 100), number(b, 125), number(c, 125))
    case 'lch':
      return fromLab(number(a, 100), ...polar(number(b, 150), hue(c)))
    case 'oklab':
      return fromOklab(number(a, 1), number(b, 0.4), number(c, 0.4))
    case 'oklch':
      return fromOklab(number(a, 1), ...polar(number(b, 0.4), hue(c)))
    case 'color': {
      const values: Triple = [number(a, 1), number(b, 1), number(c, 1)]
      if (space === 'srgb') return values.map(value => value * 255) as Triple
      if (space === 'srgb-linear') return encode(values)
      if (space === 'display-p3') return fromP3(values)
    }
  }
  return undefined
}

function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const channel = (n: number) => {
    const k = (((n + hue / 30) % 12) + 12) % 12
    const chroma = Math.min(1, Math.max(0, saturation)) * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

const times = (m: readonly [Triple, Triple, Triple], [x, y, z]: Triple): Triple =>
  m.map(row => row[0] * x + row[1] * y + row[2] * z) as Triple

/** Converts linear light to sRGB values, 0 to 255. */
const encode = (linear: Triple): Triple =>
  linear.map(value => {
    return Math.sign(value) * signalOf(Math.abs(value)) * 255
  }) as Triple

/** The matrices of CSS Color 4, sample code for color conversions. */
const fromD50: [Triple, Triple, Triple] = [
  [3.1341359569, -1.6173863321, -0.490661946],
  [-0.978795503, 1.9162543773, 0.0334427315],
  [0.0719553798, -0.2289768264, 1.4053860351],
]

function fromLab(lightness: number, a: number, b: number): Triple {
  const fy = (lightness + 16) / 116
  const cube = (f: number) => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27))
  const y = lightness > 8 ? fy ** 3 : lightness / (24389 / 27)
  return encode(times(fromD50, [cube(fy + a / 500) * 0.9642956764, y, cube(fy - b / 200) * 0.8251046025]))
}

function fromOklab(lightness: number, a: number, b: number): Triple {
  const lms = [
    lightness + 0.3963377774 * a + 0.2158037573 * b,
    lightness - 0.1055613458 * a - 0.0638541728 * b,
    lightness - 0.0894841775 * a - 1.291485548 * b,
  ].map(value => value ** 3) as Triple
  return encode(
    times(
      [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
      ],
      lms,
    ),
  )
}

function fromP3(values: Triple): Triple {
  return encode(
    times(
      [
        [1.2249401763, -0.2249401763, 0],
        [-0.0420569547, 1.0420569547, 0],
        [-0.0196375546, -0.0786360456, 1.0982736001],
      ],
      values.map(lightOf) as Triple,
    ),
  )
}

/** `color-mix(in srgb, red 30%, blue)`; always mixed in sRGB, whatever the colour space, which is close enough. */
function mix(inner: string): Rgba | undefined {
  const [, first, second] = splitAt(inner, ',')
  const read = (text = '') => {
    const [, before, after] = /^(.*?)\s*(?:([\d.]+)%)?$/.exec(text) ?? []
    return { colour: parseColour(before ?? ''), share: after === undefined ? undefined : Number(after) / 100 }
  }
  const a = read(first)
  const b = read(second)
  if (!a.colour || !b.colour) return undefined
  const share = a.share ?? (b.share === undefined ? 0.5 : 1 - b.share)
  return a.colour.map((value, i) => value * share + b.colour![i]! * (1 - share)) as Rgba
}
