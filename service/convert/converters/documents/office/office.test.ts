import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { stop } from '../../../engines/documents/office/engine.ts'

/**
 * All tests of LibreOffice, in one file and so in one process: starting it, and compiling what documents need of it, takes most of
 * their processor time. Those of hostile and damaged files are last, since it may not survive them.
 */

const files = testFiles('home')
const realHome = process.env.HOME

/** A home folder with a font of the user, which LibreOffice is started with. */
beforeAll(() => {
  mkdirSync(files.path('.fonts'))
  copyFileSync(
    join(import.meta.dirname, '../../../../../resources/fonts/Tinos-Regular.ttf'),
    files.path('.fonts/own.ttf'),
  )
  process.env.HOME = files.folder
})

afterAll(async () => {
  process.env.HOME = realHome
  await stop()
})

describe('documents', async () => void (await import('./test/documents.ts')))
describe('options', async () => void (await import('./test/options.ts')))
describeFull('accessible', true, async () => void (await import('./test/accessible.ts')))
describe('workbooks', async () => void (await import('./test/workbooks.ts')))
describe('other formats', async () => void (await import('./test/save.ts')))
describe('Markdown, tables and plain text', async () => void (await import('./test/text.ts')))
describe('macros', async () => void (await import('./test/macros.ts')))
describe('protection', async () => void (await import('./test/protection.ts')))
describe('isolation', async () => void (await import('./test/isolation.ts')))
describe('cycles', async () => void (await import('./test/cycles.ts')))
describeFull('pictures', true, async () => void (await import('./test/pictures.ts')))
describe('damaged pictures', async () => void (await import('./test/damaged-pictures.ts')))
describe('hostile files', async () => void (await import('./test/hostile.ts')))
