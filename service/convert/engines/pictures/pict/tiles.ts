import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { canvasOf, release } from './canvas.ts'
import { heightOf, widthOf } from './geometry.ts'
import type { PixelMap, Rgba } from './pixmaps.ts'
import { decodeMap } from './pixmaps.ts'
import { transparent } from './ports.ts'

/** Maximum number of cached tiles. */
const TILE_LIMIT = 256

/** Patterns as tiles at the canvas's scale, each of their pixels a square. */
export class Tiles {
  private readonly scale: number
  private readonly known = new Map<string | PixelMap, Canvas>()

  constructor(scale: number) {
    this.scale = Math.max(1, Math.round(scale))
  }

  /** A tile of 8 × 8 bits in two colours. */
  ofBits(rows: Uint8Array, set: Rgba, clear: Rgba): Canvas {
    return this.keep([...rows, ...set, ...clear].join(), () => {
      const data = new Uint8ClampedArray(8 * 8 * 4)
      for (let i = 0; i < 64; i++) data.set((rows[i >> 3]! >> (7 - (i & 7))) & 1 ? set : clear, i * 4)
      return canvasOf(data, 8, 8)
    })
  }

  /** A tile of coloured pixels. */
  ofPixels(map: PixelMap): Canvas {
    return this.keep(map, () =>
      canvasOf(decodeMap(map, transparent, transparent), widthOf(map.bounds), heightOf(map.bounds)),
    )
  }

  private keep(key: string | PixelMap, make: () => Canvas): Canvas {
    const known = this.known.get(key)
    if (known) return known
    if (this.known.size >= TILE_LIMIT) this.close()
    const tile = this.enlarge(make())
    this.known.set(key, tile)
    return tile
  }

  /** Frees all tiles. */
  close(): void {
    for (const tile of this.known.values()) release(tile)
    this.known.clear()
  }

  private enlarge(tile: Canvas): Canvas {
    if (this.scale === 1) return tile
    const large = createCanvas(tile.width * this.scale, tile.height * this.scale)
    const context = large.getContext('2d')
    context.imageSmoothingEnabled = false
    context.drawImage(tile, 0, 0, large.width, large.height)
    release(tile)
    return large
  }
}
