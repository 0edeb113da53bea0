import { expect, test } from 'vitest'
import { textOf } from '../../../common/xml/element.ts'
import { bodyOf, readXhtml } from './document.ts'
import { writeDocument } from './write.ts'

const again = (text: string) => {
  const { root, isWellFormed } = readXhtml(text)
  return { root, isWellFormed, text: writeDocument(root) }
}

test('a well-formed document is written unchanged in all that matters', () => {
  const body =
    '<p class="a">Less &lt; and &amp;, <a id="x"></a><br/><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg></p>'
  const source = `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>T</title></head><body epub:type="bodymatter">${body}</body></html>\n`
  expect(again(source)).toMatchObject({ isWellFormed: true, text: source })
})

test('unusual prefixes become the usual ones', () => {
  const { text } = again(
    '<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns:o="http://www.idpf.org/2007/ops" xmlns:s="http://www.w3.org/2000/svg"><h:body o:type="toc"><s:svg><s:g/></s:svg></h:body></h:html>',
  )
  expect(text).toContain(
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body epub:type="toc"><svg xmlns="http://www.w3.org/2000/svg"><g/></svg></body></html>',
  )
})

test.each([
  ['named entities', '<p>a&nbsp;b&eacute;</p>', 'a\u00a0bé'],
  ['an ampersand of its own', '<p>AT&T &unknown; & Co</p>', 'AT&T &unknown; & Co'],
  ['an attribute without quotes', '<p align=center>x</p>', 'x'],
  ['tags that overlap', '<p><b>one<i>two</b>three</i></p>', 'onetwothree'],
  ['a tag that does not end', '<p>one<div>two', 'onetwo'],
  ['an empty anchor among overlapping tags', '<p><a id="x"/><b>one<i>two</b></i></p>', 'onetwo'],
  ['an undeclared prefix', '<p epub:type="z" foo:bar="1">x<o:p>y</o:p></p>', 'xy'],
])('%s is put right', (_, body, words) => {
  const { root, isWellFormed, text } = again(
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
  )
  expect(isWellFormed).toBe(false)
  expect(textOf(bodyOf(root))).toBe(words)
  expect(readXhtml(text)).toMatchObject({
    isWellFormed: true,
    root: JSON.parse(JSON.stringify(readXhtml(text).root)),
  })
  expect(textOf(readXhtml(text).root)).toBe(words)
})
