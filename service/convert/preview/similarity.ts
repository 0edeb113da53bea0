/** Measures how similar two pictures are. */

/** Size and distance of the windows, in pixels. */
const WINDOW = 8
const STEP = 4

/** Constants of the formula for values of 8 bits. */
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/** Luma of a picture, rows from the top, without padding. */
export interface Luma {
  data: Uint8Array
  width: number
  height: number
}

/**
 * Mean structural similarity of two pictures of the same size over windows of 8 × 8 pixels: Z. Wang and others, "Image
 * Quality Assessment: From Error Visibility to Structural Similarity", IEEE Transactions on Image Processing 13 (2004).
 * @returns 1 for identical pictures; null for pictures smaller than a window
 */
export function similarity(a: Luma, b: Luma): number | null {
  const { width, height } = a
  if (width !== b.width || height !== b.height || width < WINDOW || height < WINDOW) return null
  let sum = 0
  let windows = 0
  for (let y = 0; y + WINDOW <= height; y += STEP) {
    for (let x = 0; x + WINDOW <= width; x += STEP) {
      sum += windowSimilarity(a.data, b.data, y * width + x, width)
      windows++
    }
  }
  return sum / windows
}

function windowSimilarity(a: Uint8Array, b: Uint8Array, start: number, width: number): number {
  let sumA = 0
  let sumB = 0
  let squares = 0
  let products = 0
  for (let row = 0; row < WINDOW; row++) {
    const from = start + row * width
    for (let at = from; at < from + WINDOW; at++) {
      const valueA = a[at]!
      const valueB = b[at]!
      sumA += valueA
      sumB += valueB
      squares += valueA * valueA + valueB * valueB
      products += valueA * valueB
    }
  }
  const count = WINDOW * WINDOW
  const meanA = sumA / count
  const meanB = sumB / count
  const variances = squares / count - meanA * meanA - meanB * meanB
  const covariance = products / count - meanA * meanB
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (variances + C2))
  )
}
