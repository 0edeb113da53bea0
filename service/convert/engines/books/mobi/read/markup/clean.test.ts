import { expect, test } from 'vitest'
import { bodyOf, readXhtml } from '../../../book/markup/document.ts'
import { writeElement } from '../../../book/markup/write.ts'
import { cleanDocument } from './clean.ts'

/** The content of a body after cleaning. */
function cleaned(body: string): string {
  const { root } = readXhtml(`<html xmlns="http://www.w3.org/1999/xhtml"><head/><body>${body}</body></html>`)
  cleanDocument(root)
  return writeElement(bodyOf(root)).replace(/^<body[^>]*>|<\/body>$/g, '')
}

test.each([
  [
    'what Calibre left of epub:type',
    '<a type="noteref" href="#n">1</a>',
    '<a href="#n" epub:type="noteref">1</a>',
  ],
  ['kinds of files', '<a type="text/html" href="x">1</a>', '<a type="text/html" href="x">1</a>'],
  [
    'numbers of items',
    '<ul><li value="2">1</li></ul><ol><li value="2">2</li></ol>',
    '<ul><li>1</li></ul><ol><li value="2">2</li></ol>',
  ],
  [
    'numbering',
    '<ol type="a"><li>1</li></ol><ul type="circle"><li>2</li></ul>',
    '<ol type="a"><li>1</li></ol><ul style="list-style-type: circle"><li>2</li></ul>',
  ],
  ['anchors between items', '<ul><a id="x"/><li>1</li></ul>', '<ul><li><a id="x"></a>1</li></ul>'],
  [
    'anchors between rows',
    '<table><a id="x"/><tr><td>1</td></tr></table>',
    '<table><tr><td><a id="x"></a>1</td></tr></table>',
  ],
  [
    'what stands between cells',
    '<table><col/><td>1</td><tbody>2<tr>3<td>4</td></tr></tbody><a id="x"/></table>',
    '<table><colgroup><col/></colgroup><tr><td>1</td></tr><tbody><tr><td>2</td></tr><tr><td>3</td><td>4<a id="x"></a></td></tr></tbody></table>',
  ],
  [
    'items outside of lists and tables',
    '<div><li value="2">1</li><tr><td>2</td></tr></div>',
    '<div><div>1</div><div><div>2</div></div></div>',
  ],
  ['an id that is there twice', '<p id="x">1</p><p id="x">2</p>', '<p id="x">1</p><p>2</p>'],
  ['names of anchors', '<a name="x y">1</a>', '<a id="x_y">1</a>'],
  ['links within links', '<a href="#x">1<a href="#y">2</a></a>', '<a href="#x">1<span>2</span></a>'],
  ['blocks within lines', '<span><div>1</div></span>', '<div><div>1</div></div>'],
  ['elements nobody knows', '<p><foo bar="x">1</foo></p>', '<p><span>1</span></p>'],
  ['languages', '<p xml:lang="de">1</p><p lang="no such">2</p>', '<p xml:lang="de" lang="de">1</p><p>2</p>'],
  [
    'cells',
    '<table><tr><td colspan="0" width="10%">1</td></tr></table>',
    '<table><tr><td style="width: 10%">1</td></tr></table>',
  ],
  [
    'pictures',
    '<img src="a.jpg" width="50%" height="10"/><img/>',
    '<img src="a.jpg" height="10" style="width: 50%" alt=""/>',
  ],
  ['scripts', '<p onclick="x()">1</p><script>x()</script>', '<p>1</p>'],
])('%s', (_, markup, expected) => {
  expect(cleaned(markup).replaceAll(/ xmlns:epub="[^"]*"/g, '')).toBe(expected)
})
