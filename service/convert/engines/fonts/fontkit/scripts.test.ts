import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { resource } from '../../common/resources.ts'
import { packagedFile } from '../../documents/office/version.ts'
import { fontsFor, otherScriptOf } from './scripts.ts'

const files = testFiles('scripts')

test('a font of this computer is taken for a script if it has its letters and puts them together', async () => {
  const path = files.write((await packagedFile('fonts/truetype/NotoSans-Regular.ttf'))!, 'ttf')
  const without = resource('fonts', 'DejaVuSans.ttf')
  const installed = (family: string, file: string) => new Map([[family, [{ path: file }]]])
  expect(await fontsFor('Devanagari', installed('some devanagari', path))).toEqual([path])
  expect(await fontsFor('Devanagari', installed('nirmala ui', path))).toEqual([path])
  expect(await fontsFor('Devanagari', installed('some devanagari', without))).toEqual([])
  expect(await fontsFor('Tamil', installed('some tamil', path))).toEqual([])
  expect(
    await fontsFor('Tamil', installed('some tamil', files.write(Buffer.from('no font'), 'ttf'))),
  ).toEqual([])
})

test('letters have the script of their block', () => {
  const scripts = [...'aहব한𝛼'].map(letter => otherScriptOf(letter.codePointAt(0)!))
  expect(scripts).toEqual([undefined, 'Devanagari', 'Bengali', undefined, undefined])
})
