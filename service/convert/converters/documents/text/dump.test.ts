import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/samples/convert.ts'

const files = testFiles('dump')

test('developers see what was read of a document', async () => {
  const folder = join(dirname(files.path('x')), 'models')
  mkdirSync(folder, { recursive: true })
  vi.stubEnv('REFILE_DUMP', folder)
  const path = files.write(Buffer.from('Chapter 1'), 'txt')
  await convertFile('document.txt-to-md', path)
  vi.unstubAllEnvs()
  const name = path.slice(dirname(path).length + 1).replace('.txt', '.json')
  expect(JSON.parse(readFileSync(join(folder, name), 'utf8')).blocks).toEqual([
    { kind: 'heading', level: 1, content: [{ kind: 'text', text: 'Chapter 1', marks: {} }] },
  ])
})
