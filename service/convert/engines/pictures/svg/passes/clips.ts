/** Converts clips given as CSS basic shapes (CSS Shapes 1) to clip paths of the document. */

import { pixels } from '../../../common/css/length.ts'
import { call, splitAt, unquoted, words } from '../../../common/css/values.ts'
import type { Rectangle } from '../../../common/rectangle.ts'
import { objectBounds } from '../bounds.ts'
import { append, type Element, element, freshIds, idsOf, walk } from '../tree.ts'

type Box = Rectangle

export function rewriteClipShapes(root: Element, view: { width: number; height: number }): void {
  const ids = idsOf(root)
  const fresh = freshIds(root)
  const defs = element('defs')
  for (const node of walk(root)) {
    const value = node.attributes.get('clip-path')
    const shape =
      value &&
      words(value)
        .map(call)
        .find(found => found && found.name !== 'url')
    if (!value || !shape) continue
    const bounds = /\bview-box\b/.test(value)
      ? { left: 0, top: 0, right: view.width, bottom: view.height }
      : objectBounds(node, ids, { stroked: !/\b(fill|content|padding)-box\b/.test(value) })
    const box = bounds && {
      x: bounds.left,
      y: bounds.top,
      width: bounds.right - bounds.left,
      height: bounds.bottom - bounds.top,
    }
    const drawn = box && shapeOf(shape.name, shape.inner, box)
    if (!drawn) {
      node.attributes.delete('clip-path')
      continue
    }
    const id = fresh('clip')
    append(defs, element('clipPath', { id }, [drawn]))
    node.attributes.set('clip-path', `url(#${id})`)
  }
  if (defs.children.length > 0) append(root, defs)
}

const named: Record<string, string> = { left: '0%', top: '0%', center: '50%', right: '100%', bottom: '100%' }

function shapeOf(name: string, inner: string, box: Box): Element | undefined {
  const across = (text: string) => pixels(named[text] ?? text, { whole: box.width, fontSize: 16 })
  const down = (text: string) => pixels(named[text] ?? text, { whole: box.height, fontSize: 16 })
  const position = (text: string | undefined) => {
    const [x = '50%', y = '50%'] = words(text ?? '')
    return { cx: box.x + across(x), cy: box.y + down(y) }
  }
  const radius = (text: string, whole: number, near: number, far: number) =>
    text === 'closest-side' ? near : text === 'farthest-side' ? far : pixels(text, { whole, fontSize: 16 })
  const [before = '', after] = inner.split(/\bat\b/)
  const made = (() => {
    switch (name) {
      case 'circle': {
        const { cx, cy } = position(after)
        const sides = [cx - box.x, box.x + box.width - cx, cy - box.y, box.y + box.height - cy].map(Math.abs)
        const whole = Math.hypot(box.width, box.height) / Math.SQRT2
        return element('circle', {
          cx,
          cy,
          r: radius(before.trim() || 'closest-side', whole, Math.min(...sides), Math.max(...sides)),
        })
      }
      case 'ellipse': {
        const { cx, cy } = position(after)
        const [rx = 'closest-side', ry = 'closest-side'] = words(before)
        const horizontal = [cx - box.x, box.x + box.width - cx].map(Math.abs)
        const vertical = [cy - box.y, box.y + box.height - cy].map(Math.abs)
        return element('ellipse', {
          cx,
          cy,
          rx: radius(rx, box.width, Math.min(...horizontal), Math.max(...horizontal)),
          ry: radius(ry, box.height, Math.min(...vertical), Math.max(...vertical)),
        })
      }
      case 'inset': {
        const [edges = '', round] = inner.split(/\bround\b/)
        const [top = '0', right = top, bottom = top, left = right] = words(edges)
        const [x, y] = [box.x + across(left), box.y + down(top)]
        const size = {
          width: box.x + box.width - across(right) - x,
          height: box.y + box.height - down(bottom) - y,
        }
        return element('rect', { x, y, ...size, ...(round ? { rx: across(words(round)[0] ?? '0') } : {}) })
      }
      case 'polygon': {
        const parts = splitAt(inner, ',')
        const rule = /^(nonzero|evenodd)$/.test(parts[0] ?? '') ? parts.shift() : undefined
        const points = parts.map(part => {
          const [x = '0', y = '0'] = words(part)
          return `${box.x + across(x)},${box.y + down(y)}`
        })
        return element('polygon', { points: points.join(' '), ...(rule ? { 'clip-rule': rule } : {}) })
      }
      case 'path': {
        const parts = splitAt(inner, ',')
        return element('path', {
          d: unquoted(parts.at(-1) ?? ''),
          transform: `translate(${box.x} ${box.y})`,
          ...(parts[0] === 'evenodd' ? { 'clip-rule': 'evenodd' } : {}),
        })
      }
    }
    return undefined
  })()
  return made && ![...made.attributes.values()].some(value => value.includes('NaN')) ? made : undefined
}
