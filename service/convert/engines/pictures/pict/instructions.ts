import type { Rgb } from './colors.ts'
import type { Point, Rect } from './geometry.ts'
import type { Pattern } from './patterns.ts'
import type { BitsCopy } from './pixmaps.ts'
import type { QuickTimeImage } from './quicktime.ts'
import type { Region } from './regions.ts'

/** What is done with a shape, in the order of the opcodes. */
export const verbs = ['frame', 'paint', 'erase', 'invert', 'fill'] as const
export type Verb = (typeof verbs)[number]

export type Shape =
  | { kind: 'rect'; rect: Rect }
  /** `oval` is the full width and height of the corners. */
  | { kind: 'roundRect'; rect: Rect; oval: Point }
  | { kind: 'oval'; rect: Rect }
  /** Degrees, clockwise from the top. */
  | { kind: 'arc'; rect: Rect; start: number; sweep: number }
  | { kind: 'polygon'; points: Point[] }
  | { kind: 'region'; region: Region }

/** Settings of the graphics port. */
export interface Port {
  foreground: Rgb
  background: Rgb
  penSize: Point
  penMode: number
  penPattern: Pattern
  fillPattern: Pattern
  backPattern: Pattern
  /** null if nothing is clipped. */
  clip: Region | null
  font: string | number
  face: number
  textMode: number
  textSize: number
  /** Width added to each space, and to each character as a fraction of the size. */
  spaceExtra: number
  characterExtra: number
  /** Horizontal and vertical scale of text. */
  textScale: Point
}

/** An opcode with everything resolved that depends on earlier ones, except the port's settings. */
export type Instruction =
  | { kind: 'port'; set: Partial<Port> }
  | { kind: 'origin'; dx: number; dy: number }
  | { kind: 'shape'; verb: Verb; shape: Shape }
  | { kind: 'line'; from: Point; to: Point }
  | { kind: 'text'; at: Point; bytes: Uint8Array }
  | { kind: 'bits'; copy: BitsCopy }
  | { kind: 'quickTime'; image: QuickTimeImage }
