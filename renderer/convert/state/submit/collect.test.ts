import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { filesBelow, filesOfList, filesOfTransfer, type PickedFile, withTextFolders } from './collect.ts'

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
