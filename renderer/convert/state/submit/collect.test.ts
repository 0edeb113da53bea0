import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import {
  filesBelow,
  filesOfList,
  filesOfTransfer,
  mergeLivePhotos,
  type PickedFile,
  withTextFolders,
} from './collect.ts'

const file = (name: string) => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (done: (file: File) => void) => done(new File(['x'], name)),
})

/** A folder as browsers return it: at most two entries at once, then an empty answer. */
const folder = (name: string, children: unknown[]) => ({
  isFile: false,
  isDirectory: true,
  name,
  createReader: () => {
    const left = [...children]
    return { readEntries: (done: (part: unknown[]) => void) => done(left.splice(0, 2)) }
  },
})

const names = (files: readonly PickedFile[]) => files.map(({ file }) => file.name)

test('folders are searched recursively, in natural order', async () => {
  const tree = folder('trip', [
    file('10.jpg'),
    file('9.jpg'),
    folder('raw', [file('a.nef'), file('b.nef'), file('c.nef')]),
  ])
  const found = await filesBelow([tree, file('last.pdf')])
  expect(found.map(each => [each.file.name, each.relativePath])).toEqual([
    ['9.jpg', 'trip/9.jpg'],
    ['10.jpg', 'trip/10.jpg'],
    ['a.nef', 'trip/raw/a.nef'],
    ['b.nef', 'trip/raw/b.nef'],
    ['c.nef', 'trip/raw/c.nef'],
    ['last.pdf', null],
  ])
})

test('system files are left out', async () => {
  const tree = folder('trip', [
    file('.DS_Store'),
    file('Thumbs.db'),
    folder('.git', [file('HEAD')]),
    file('a.jpg'),
  ])
  expect(names(await filesBelow([tree]))).toEqual(['a.jpg'])
  expect(names(filesOfList([new File([''], 'desktop.ini'), new File([''], 'b.png')]))).toEqual(['b.png'])
})

test('files alone are taken from the transfer, and are not asked for one by one', async () => {
  const asked = { ...file('a.jpg'), file: () => expect.unreachable() }
  const transfer = {
    items: [{ kind: 'file', webkitGetAsEntry: () => asked }],
    files: [new File(['x'], 'a.jpg')],
  }
  expect(names(await filesOfTransfer(transfer as unknown as DataTransfer))).toEqual(['a.jpg'])
})

test('a folder of a text and its pictures is one document, other folders are their files', async () => {
  const picked = (path: string) => ({ file: new File(['x'], path.replace(/.*\//, '')), relativePath: path })
  const notes = ['notes/text.md', 'notes/img/a.png', 'notes/img/b.jpg'].map(picked)
  const others = ['trip/a.md', 'trip/b.md', 'trip/c.png', 'solo/d.md'].map(picked)
  const found = await withTextFolders([...notes, ...others])
  expect(found.map(({ file, relativePath }) => relativePath ?? file.name)).toEqual([
    'notes.textpack',
    ...others.map(({ relativePath }) => relativePath),
  ])
  const bytes = new Uint8Array(await found[0]!.file.arrayBuffer())
  expect(Object.keys(unzipSync(bytes))).toEqual(['text.md', 'img/a.png', 'img/b.jpg'])
})

test('the video of a Live Photo is kept in its picture, others stay files of their own', async () => {
  const [one, other] = ['1C1A7A39-0B46-4BF5-9D0F-3A1C0F7D2E55', '2C1A7A39-0B46-4BF5-9D0F-3A1C0F7D2E55']
  const picked = (name: string, content: string) => ({ file: new File([content], name), relativePath: null })
  const video = (name: string, id: string) =>
    picked(name, `moov com.apple.quicktime.content.identifier ${id}`)
  const found = await mergeLivePhotos([
    picked('1.HEIC', `\0\0\0\x08ftyp ${one}`),
    video('1.MOV', one),
    picked('2.JPG', `${one}`),
    video('2.MOV', other),
    picked('3.jpg', `${one}`),
    picked('3.mov', 'moov'),
    picked('4.JPG', other),
    picked('4.HEIC', `ftyp ${one}`),
    video('4.mp4', one),
  ])
  expect(names(found)).toEqual(['1.HEIC', '2.JPG', '2.MOV', '3.jpg', '3.mov', '4.JPG', '4.HEIC'])
  const whole = await found[0]!.file.text()
  expect(whole.slice(-video('', one).file.size - 8)).toMatch(/^\0\0\0\S?.?mpvdmoov/s)
})
