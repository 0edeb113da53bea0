/**
 * A small picture in planes, from which Photoshop documents of every kind are made and with which they are compared.
 */
import type { Compression, Depth } from './psd.ts'

export const WIDTH = 37
export const HEIGHT = 11
export const COUNT = WIDTH * HEIGHT
export const compressions: Compression[] = ['raw', 'packbits']

/** A plane with slopes, runs and jumps, 0–255, different for each channel. */
export const plane = (channel: number): number[] =>
  Array.from({ length: COUNT }, (_, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)]
    if (y % 4 === 3) return (channel * 80 + 40) & 255
    return (x * (5 + channel) + y * 17 + channel * 31) & 255
  })

export const scaled = (values: number[], depth: Depth): number[] =>
  depth === 16 ? values.map(value => value * 257) : depth === 32 ? values.map(value => value / 255) : values

export const interleave = (planes: ArrayLike<number>[]): number[] =>
  Array.from({ length: planes[0]!.length }, (_, i) => planes.map(values => values[i]!)).flat()

export const base = { width: WIDTH, height: HEIGHT }
