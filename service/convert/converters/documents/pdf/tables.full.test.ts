/** The floor of what is found of the tables of real documents, by the measure of the table competition of ICDAR 2013. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { scoreOfCorpus } from '../../../../../testing/fixtures/table-relations.ts'

const FLOOR = 0.97

/** The rows of CSV files as tables of a web page, read by Python. */
const ROWS = `import csv, html, sys
for path in sys.argv[1:]:
  rows = csv.reader(open(path, encoding='utf-8-sig', newline=''))
  print('<table>' + ''.join('<tr>' + ''.join('<td>' + html.escape(c) + '</td>' for c in r) + '</tr>' for r in rows) + '</table>')`

const READINGS: [target: string, (path: string) => Promise<string>][] = [
  [
    'html',
    async path => {
      const { outputs } = await convertFile('document.pdf-to-html', path, { pictures: 'none' })
      return readFileSync(outputs[0]!.path, 'utf8')
    },
  ],
  [
    'csv',
    async path => {
      const { outputs } = await convertFile('document.pdf-to-csv', path, { values: 'text' })
      return tool('/usr/bin/python3', '-c', ROWS, ...outputs.map(output => output.path))
    },
  ],
]

test.runIf(hasCorpus).each(READINGS)(
  'finds the cells of real tables and their neighbours (%s)',
  { timeout: 300_000 },
  async (_, read) => {
    const score = await scoreOfCorpus(read)
    expect(score?.f).toBeGreaterThan(FLOOR)
  },
)
