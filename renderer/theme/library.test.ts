import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const renderer = join(import.meta.dirname, '..')
const styles = join(renderer, '..', 'node_modules', '@mantine', 'core', 'styles')

test('the styles of every library component that the page uses are included', () => {
  const used = new Set<string>()
  for (const file of globSync(join(renderer, '**', '*.tsx'))) {
    for (const [, names = ''] of readFileSync(file, 'utf8').matchAll(
      /import \{([^}]*)\} from '@mantine\/core'/g,
    )) {
      for (const name of names.split(',')) used.add(name.trim())
    }
  }
  const library = readFileSync(join(import.meta.dirname, 'library.css'), 'utf8')
  const missing = [...used].filter(
    name => existsSync(join(styles, `${name}.layer.css`)) && !library.includes(`/${name}.layer.css`),
  )
  expect(missing, 'add to renderer/theme/library.css').toEqual([])
  expect(used.size).toBeGreaterThan(5)
})
