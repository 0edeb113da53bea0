import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import { drawnForReading } from './resolution.ts'

const files = testFiles('resolution')

/** The resolutions at which a page of these words is drawn. */
async function drawnAt(words: number, points: number): Promise<number[]> {
  const page = `#set page(width: 420pt, height: 480pt, margin: 24pt)\n#set text(size: ${points}pt)\n#lorem(${words})`
  const source = files.write(typeset(page), 'pdf')
  const drawn: number[] = []
  const read = await drawnForReading(async dpi => {
    drawn.push(dpi)
    const picture = files.path(`${words}-${points}-${dpi}`)
    tool('pdftoppm', '-gray', '-r', String(dpi), '-singlefile', '-png', source, picture)
    const grey = sharp(`${picture}.png`).toColourspace('b-w').raw()
    const { data, info } = await grey.toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: 1, dpi }
  })
  expect(read?.dpi).toBe(drawn.at(-1))
  return drawn
}

testFull('a page is drawn finely where its letters are small, or few as in a table', async () => {
  expect(await drawnAt(220, 11)).toEqual([200])
  expect(await drawnAt(220, 7)).toEqual([200, 300])
  expect(await drawnAt(40, 11)).toEqual([200, 300])
})

test('a page with nothing to read is not drawn again', async () => {
  let drawn = 0
  expect(await drawnForReading(async () => void drawn++)).toBeUndefined()
  expect(drawn).toBe(1)
})
