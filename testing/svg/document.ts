/** An SVG document of 200 × 200 pixels around some content. */
export const svgWith = (content: string, attributes = 'width="200" height="200"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`

/** Path of a five-pointed star whose lines cross. */
export const star = (x: number, y: number, radius: number): string =>
  `M${[0, 2, 4, 1, 3].map(i => point(x, y, radius, i)).join('L')}z`

const point = (x: number, y: number, radius: number, i: number): string => {
  const angle = ((i * 72 - 90) * Math.PI) / 180
  return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`
}
