const fixed = (k: unknown) => ({ a: 0, k })
const transform = { p: fixed([0, 0]), a: fixed([0, 0]), s: fixed([100, 100]), r: fixed(0), o: fixed(100) }

/**
 * A Lottie animation of 100 x 80 pixels, one second at 30 fps: an orange square of 20 pixels, half transparent, whose
 * centre moves from (10, 40) by two pixels a frame. `change` replaces fields of the document.
 */
export function movingSquare(change: object = {}): object {
  const straight = { i: { x: [1], y: [1] }, o: { x: [0], y: [0] } }
  const position = {
    a: 1,
    k: [
      { t: 0, s: [10, 40], ...straight },
      { t: 30, s: [70, 40] },
    ],
  }
  const shapes = [
    { ty: 'rc', s: fixed([20, 20]), p: fixed([0, 0]), r: fixed(0) },
    { ty: 'fl', c: fixed([1, 0.5, 0, 1]), o: fixed(50) },
    { ty: 'tr', ...transform },
  ]
  const layer = {
    ty: 4,
    ip: 0,
    op: 1e6,
    st: 0,
    ks: { ...transform, p: position },
    shapes: [{ ty: 'gr', it: shapes }],
  }
  return { v: '5.5.7', fr: 30, ip: 0, op: 30, w: 100, h: 80, layers: [layer], ...change }
}
