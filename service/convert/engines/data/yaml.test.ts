import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { isFull } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { writeYaml } from './yaml.ts'

const files = testFiles('yaml')

test('a list of some thousand items is one document', () => {
  const items = Array.from({ length: 2500 }, (_, id) => ({ id, note: id % 3 === 0 ? 'no' : `a\n${id}` }))
  const path = files.write(Buffer.from(writeYaml(items.map(item => new Map(Object.entries(item))))), 'yaml')
  const python = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
  expect(JSON.parse(tool('/usr/bin/python3', '-c', python, path))).toEqual(items)
})

test.runIf(isFull)('a list of 200,000 rows needs little memory', { timeout: 120_000 }, () => {
  const rows = 200_000
  const script = `
    import { writeYaml } from ${JSON.stringify(join(import.meta.dirname, 'yaml.ts'))}
    import { writeFileSync } from 'node:fs'
    const row = (_, id) => new Map([['id', id], ['name', 'Name ' + id], ['note', 'text'], ['flag', true]])
    writeFileSync(process.argv[1], writeYaml(Array.from({ length: ${rows} }, row)))`
  const path = files.write(Buffer.from(''), 'yaml')
  execFileSync(process.execPath, ['--max-old-space-size=160', '--input-type=module', '-e', script, path])
  expect(readFileSync(path, 'latin1').match(/^- id: /gm)).toHaveLength(rows)
})
