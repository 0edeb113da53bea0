import { black, white } from './colors.ts'
import type { Port } from './instructions.ts'
import { clearPattern, solidPattern } from './patterns.ts'
import type { Rgba } from './pixmaps.ts'

/** The initial port of a picture. */
export const defaultPort: Port = {
  foreground: black,
  background: white,
  penSize: { x: 1, y: 1 },
  penMode: 8,
  penPattern: solidPattern,
  fillPattern: solidPattern,
  backPattern: clearPattern,
  clip: null,
  font: 1,
  face: 0,
  textMode: 1,
  textSize: 12,
  spaceExtra: 0,
  characterExtra: 0,
  textScale: { x: 1, y: 1 },
}

export const transparent: Rgba = [0, 0, 0, 0]
