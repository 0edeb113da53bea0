import { expect, test } from 'vitest'
import { parseColour, plainColour } from './colour.ts'

/** By the sample code of CSS Color 4, rounded. */
test.each([
  ['#36a', undefined],
  ['red', undefined],
  ['none', undefined],
  ['currentColor', undefined],
  ['url(#a) hsl(0 0% 0%)', undefined],
  ['rebeccapurple', 'rgba(102,51,153,1)'],
  ['hsl(120deg, 50%, 50%, 0.25)', 'rgba(64,191,64,0.25)'],
  ['hwb(120 10% 20%)', 'rgba(26,204,26,1)'],
  ['lab(50% 40 59.5)', 'rgba(191,87,0,1)'],
  ['oklch(60% 0.15 50 / 50%)', 'rgba(196,96,22,0.5)'],
  ['color(display-p3 0.5 0.2 0.7 / 0.3)', 'rgba(138,44,185,0.3)'],
  ['color-mix(in srgb, red 30%, blue)', 'rgba(77,0,179,1)'],
  ['light-dark(rgb(1 2 3), white)', 'rgba(1,2,3,1)'],
])('%s in SVG', (text, plain) => {
  expect(plainColour(text)).toBe(plain ?? text)
})

test('colours of documents', () => {
  const all = ['#3366AA', '#36a', 'Tomato', 'transparent', 'inherit', 'currentcolor', 'rgb(1 2)']
  const [hex, short, named, clear, ...none] = all.map(parseColour)
  expect([hex, short, named]).toEqual([
    [51, 102, 170, 1],
    [51, 102, 170, 1],
    [255, 99, 71, 1],
  ])
  expect(clear?.[3]).toBe(0)
  expect(none).toEqual([undefined, undefined, undefined])
})
