/** The floor of what is found of the tables of real documents, by the measure of the table competition of ICDAR 2013. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { convertFile } from '../../../../../testing/samples/convert.ts'
import { hasCorpus } from '../../../../../testing/samples/media.ts'
import { scoreOfSamples } from '../../../../../testing/samples/table-relations.ts'

const FLOOR = 0.92

test.runIf(hasCorpus)(
  'finds the cells of real tables and their neighbours',
  { timeout: 300_000 },
  async () => {
    const score = await scoreOfSamples(async path => {
      const { outputs } = await convertFile('document.pdf-to-html', path, { pictures: 'none' })
      return readFileSync(outputs[0]!.path, 'utf8')
    })
    expect(score?.f).toBeGreaterThan(FLOOR)
  },
)
