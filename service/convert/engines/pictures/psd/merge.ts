import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import type { Raster } from './colors.ts'
import { colorChannels, type Header } from './header.ts'
import type { Layer, LayerChannel, LayerMask, Rect } from './layers.ts'
import { fillMissing } from './missing.ts'
import { openRows } from './rows.ts'
import { makeSamples, maxOf, type Samples, scatter } from './samples.ts'
import { fadeIn, heightOf, intersect, paint, type Surface, widthOf } from './surface.ts'

/** Maximum memory of all surfaces of a merge together. */
const MAX_SURFACE_BYTES = 4_000_000_000
/** Maximum number of samples painted in all layers; above it a merge would take more than half an hour. */
const MAX_PAINTED_SAMPLES = 20_000_000_000
const MAX_DEPTH = 64

/** A layer, or a group with its children bottom-most first, and the layers clipped to it. */
interface Node {
  layer: Layer
  children: Node[] | undefined
  clipped: Node[]
}

/** Keys in the additional information of adjustment, fill and artboard layers, which have no pixels. */
const recipes =
  /^(SoCo|GdFl|PtFl|brit|levl|curv|expA|vibA|hue |hue2|blnc|blwh|phfl|mixr|clrL|nvrt|post|thrs|grdm|selc|artb)$/
const effects = /^(lfx2|lrFX|lmfx)$/

/** Whether the layers use something that a merge leaves out: adjustments, fills without pixels, effects. */
export function hasUndrawn(layers: readonly Layer[]): boolean {
  return layers.some(
    layer =>
      layer.visible &&
      [...layer.keys].some(key => effects.test(key) || (recipes.test(key) && widthOf(layer) === 0)),
  )
}

/** Photoshop composites duotones in their inks, and 32 bits in linear light, which is not done here. */
export const canMerge = ({ mode, depth }: Header): boolean => mode !== 'duotone' && depth !== 32

/** Merges the visible layers, for documents that were saved without a merged picture. */
export function mergeLayers(header: Header, layers: readonly Layer[]): Raster {
  const merge = new Merge(header)
  const canvas = merge.surface({ left: 0, top: 0, right: header.width, bottom: header.height })
  merge.paintAll(treeOf(layers), canvas)
  const { data, colors } = canvas
  const max = maxOf(data)
  let opaque = true
  for (let i = colors; i < data.length && opaque; i += colors + 1) opaque = data[i] === max
  if (!opaque) return { data, colors, alpha: true }
  const packed = makeSamples(header.depth, (data.length / (colors + 1)) * colors)
  for (let from = 0, to = 0; from < data.length; from++)
    for (let c = 0; c < colors; c++) packed[to++] = data[from++]!
  return { data: packed, colors, alpha: false }
}

/** Builds the group tree from the flat list, in which a group's end comes first. */
function treeOf(layers: readonly Layer[]): Node[] {
  const open: Node[][] = [[]]
  for (const layer of layers) {
    const siblings = open.at(-1)!
    if (layer.divider === 'end') {
      if (open.length > MAX_DEPTH) throw new JobFailure('jobs.too_large', message('psd.too_deep_groups'))
      open.push([])
    } else if (layer.divider === 'start' && open.length > 1) {
      open.pop()
      place({ layer, children: siblings, clipped: [] }, open.at(-1)!)
    } else if (!layer.divider) {
      place({ layer, children: undefined, clipped: [] }, siblings)
    }
  }
  return open.flat()
}

function place(node: Node, siblings: Node[]): void {
  const base = siblings.at(-1)
  if (node.layer.clipped && base) base.clipped.push(node)
  else siblings.push(node)
}

class Merge {
  private readonly header: Header
  private readonly colors: number
  private bytes = 0
  private painted = 0

  constructor(header: Header) {
    this.header = header
    this.colors = colorChannels(header)
  }

  /** A transparent surface; all surfaces in use together must stay within the limit. */
  surface(rect: Rect): Surface {
    const length = widthOf(rect) * heightOf(rect) * (this.colors + 1)
    this.claim(length)
    return { ...rect, colors: this.colors, data: makeSamples(this.header.depth, length) }
  }

  private claim(length: number): void {
    this.bytes += length * (this.header.depth <= 8 ? 1 : 2)
    this.painted += length
    if (this.bytes > MAX_SURFACE_BYTES || this.painted > MAX_PAINTED_SAMPLES) {
      throw new JobFailure('jobs.too_large', message('psd.too_large_layers'))
    }
  }

  private release(surface: Surface): void {
    this.bytes -= surface.data.byteLength
  }

  paintAll(nodes: readonly Node[], target: Surface): void {
    for (const node of nodes) if (node.layer.visible) this.paintNode(node, target)
  }

  private paintNode(node: Node, target: Surface): void {
    const { layer, children, clipped } = node
    if (children && layer.blend === 'pass' && clipped.length === 0) {
      this.passThrough(layer, children, target)
      return
    }
    const source = children ? this.groupSurface(layer, children, target) : this.layerSurface(layer, target)
    for (const above of clipped) {
      if (!above.layer.visible) continue
      const surface = above.children
        ? this.groupSurface(above.layer, above.children, source)
        : this.layerSurface(above.layer, source)
      paint(source, surface, { ...above.layer, atop: true })
      this.release(surface)
    }
    paint(target, source, layer)
    this.release(source)
  }

  /** Paints a group's layers directly onto what is below; its mask and opacity then reduce the change. */
  private passThrough(layer: Layer, children: Node[], target: Surface): void {
    if (layer.opacity >= 1 && !layer.mask) {
      this.paintAll(children, target)
      return
    }
    this.claim(target.data.length)
    const before = target.data.slice()
    this.paintAll(children, target)
    const mask = layer.mask && this.readMask(layer.mask, target)
    const width = widthOf(target)
    fadeIn(target, before, (x, y) => {
      const shown = mask ? mask[(y - target.top) * width + x - target.left]! / maxOf(mask) : 1
      return shown * layer.opacity
    })
    this.bytes -= before.byteLength
  }

  private groupSurface(layer: Layer, children: Node[], bounds: Rect): Surface {
    const surface = this.surface(bounds)
    this.paintAll(children, surface)
    this.applyMask(layer, surface)
    return surface
  }

  /** A layer's own pixels within `bounds`, with its mask applied. */
  private layerSurface(layer: Layer, bounds: Rect): Surface {
    const surface = this.surface(intersect(layer, bounds))
    const { data, colors } = surface
    if (data.length === 0) return surface
    const step = colors + 1
    const alpha = layer.channels.find(channel => channel.id === -1)
    if (!alpha) for (let i = colors; i < data.length; i += step) data[i] = maxOf(data)
    const height = heightOf(surface)
    const rows = Array<number>(step).fill(height)
    for (const channel of layer.channels) {
      const place = channel.id === -1 ? colors : channel.id
      if (place < 0 || place > colors || (place === colors && channel !== alpha)) continue
      rows[place] = this.readChannel(channel, layer, surface, data, place, step)
    }
    const { mode } = this.header
    if (rows.some(count => count < height))
      fillMissing({ data, width: widthOf(surface), height, colors, mode, rows })
    this.applyMask(layer, surface)
    return surface
  }

  /**
   * Decodes the part of a channel within `area` into every `step`th sample of `target`.
   * @returns how many rows of the area were there, if the file is truncated
   */
  private readChannel(
    channel: LayerChannel,
    rect: Rect,
    area: Rect,
    target: Samples,
    first: number,
    step: number,
  ): number {
    const { depth, large } = this.header
    const [width, height] = [widthOf(rect), heightOf(rect)]
    this.painted += width * height
    if (this.painted > MAX_PAINTED_SAMPLES) this.claim(0)
    const reader = new ByteReader(channel.data.bytes, channel.data.position, channel.data.end)
    if (reader.remaining < 2) return 0
    const next = openRows(reader, { planes: 1, width, height, depth, large })
    const shared = intersect(rect, area)
    if (widthOf(shared) === 0) return heightOf(area)
    for (let y = rect.top; y < shared.bottom; y++) {
      const row = next()
      if (!row) return Math.max(0, y - area.top)
      if (y < shared.top) continue
      const start = ((y - area.top) * widthOf(area) + shared.left - area.left) * step + first
      scatter(row, depth, target, start, step, shared.left - rect.left, shared.right - rect.left)
    }
    return heightOf(area)
  }

  private readMask(mask: LayerMask, area: Rect): Samples {
    const plane = makeSamples(this.header.depth, widthOf(area) * heightOf(area))
    const max = maxOf(plane)
    plane.fill((mask.outside / 255) * max)
    if (widthOf(mask) > 0 && heightOf(mask) > 0) this.readChannel(mask.channel, mask, area, plane, 0, 1)
    if (mask.inverted) for (let i = 0; i < plane.length; i++) plane[i] = max - plane[i]!
    return plane
  }

  private applyMask({ mask }: Layer, { data, colors, ...area }: Surface): void {
    if (!mask) return
    const plane = this.readMask(mask, area)
    const max = maxOf(data)
    for (let i = 0, at = colors; i < plane.length; i++, at += colors + 1) {
      data[at] = (data[at]! * plane[i]!) / max + 0.5
    }
  }
}
