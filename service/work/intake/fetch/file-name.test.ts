import { expect, test } from 'vitest'
import { fileNameOf, withSuffix } from './file-name.ts'

const name = (disposition: string | null, ...urls: string[]) =>
  fileNameOf(new Headers(disposition === null ? {} : { 'content-disposition': disposition }), urls)

test.each([
  ['attachment; filename="report.pdf"', 'report.pdf'],
  ['attachment; filename=report.pdf', 'report.pdf'],
  ["attachment; filename*=UTF-8''na%C3%AFve%20plan.pdf", 'naïve plan.pdf'],
  ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'%E2%82%AC%20rates.pdf', '€ rates.pdf'],
  ['inline; filename="C:\\\\temp\\\\a.pdf"', 'a.pdf'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ["attachment; filename*=UTF-8''a%E2%80%AEgpj.exe", 'agpj.exe'],
  [Buffer.from('attachment; filename="Übersicht.pdf"').toString('latin1'), 'Übersicht.pdf'],
])('a header %s names %s', (header, expected) => {
  expect(name(header, 'https://a.example/other.pdf')).toBe(expected)
})

test.each([
  ['https://a.example/photos/1%20(2).jpg?size=3#top', '1 (2).jpg'],
  ['https://a.example/%E5%86%99%E7%9C%9F.heic', '写真.heic'],
  ['https://a.example/100%.png', '100%.png'],
  ['https://a.example/a%2F..%2Fb.png', 'b.png'],
])('%s is called %s', (url, expected) => {
  expect(name(null, url)).toBe(expected)
})

test('the requested URL names the file in preference to the one it redirected to; a host alone names nothing', () => {
  expect(name(null, 'https://a.example/plan.pdf', 'https://cdn.example/8f3a')).toBe('plan.pdf')
  expect(name(null, 'https://a.example/', 'https://cdn.example/8f3a.pdf')).toBe('8f3a.pdf')
  expect(name(null, 'https://a.example/', 'https://cdn.example/folder/')).toBeUndefined()
  expect(name('attachment', 'https://a.example/')).toBeUndefined()
})

test('a name without a suffix of its own gets the suffix of the format', () => {
  expect(withSuffix('image.php', 'jpg')).toBe('image.php.jpg')
  expect(withSuffix('download', 'pdf')).toBe('download.pdf')
  expect(withSuffix('a.JPEG', 'jpg')).toBe('a.JPEG')
})
