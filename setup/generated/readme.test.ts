import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { converters } from '../../service/convert/converters/index.ts'
import { root } from '../root.mjs'
import { tables, updated } from './readme.ts'

test.each(tables)('the table of $name is up to date (npm run readme)', table => {
  expect(readFileSync(table.file, 'utf8')).toBe(updated(table))
})

test('every conversion is implemented', () => {
  expect(converters.filter(({ extension }) => !extension)).toHaveLength(170)
  expect(converters.filter(({ load }) => !load).map(({ job }) => job)).toEqual([])
})

test('every file that a document links to exists', () => {
  const rooms = '{service/**,renderer,languages,sdk,testing}'
  const documents = globSync(['*.md', 'docs/*.{md,txt}', `${rooms}/README.md`], { cwd: root })
  expect(documents.length).toBeGreaterThan(60)
  const broken = documents.flatMap(document =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter(target => !existsSync(join(root, dirname(document), target)))
      .map(target => `${document}: ${target}`),
  )
  expect(broken).toEqual([])
})
