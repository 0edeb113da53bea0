import { expect, test } from 'vitest'
import { inlined } from './page.ts'

const styles = new Map([['a.css', 'p > b {} </style>']])
const addresses = new Map([
  ['a.css', 'data:text/css;base64,'],
  ['d.png', 'data:image/png;base64,AA=='],
])

test('style sheets and files that came with a page are put into it, others stay where they are', () => {
  const page = '<link rel="stylesheet" href="./a.css"><LINK href=b.css><img src=\'d.png\'><a href="e.html">'
  expect(inlined(page, styles, addresses)).toBe(
    '<style>p > b {} <\\/style></style><LINK href=b.css><img src=\'data:image/png;base64,AA==\'><a href="e.html">',
  )
})

test.each(['<link ', '<link href=a href=a ', 'src="', "href='a"])(
  'a megabyte of %s takes no longer than text',
  part => {
    const page = part.repeat(1_000_000 / part.length)
    const started = performance.now()
    expect(inlined(page, styles, addresses)).toBe(page)
    expect(performance.now() - started).toBeLessThan(1000)
  },
)
