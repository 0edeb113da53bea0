/**
 * How many cells of real tables are found with their neighbours, of the sample documents in `../shared/corpus/pdf-tables`: `REFILE_TESTS=full
 * npm run bench pdf-tables`.
 */
import { readFile } from 'node:fs/promises'
import { convertFile } from '../testing/samples/convert.ts'
import { scoreOfSamples } from '../testing/samples/table-relations.ts'
import { report } from './harness.ts'

const GOAL = 0.88

const score = await scoreOfSamples(async path => {
  const { outputs } = await convertFile('document.pdf-to-html', path, { pictures: 'none' })
  return readFile(outputs[0]!.path, 'utf8')
})
if (!score) console.log('There are no sample documents.')
else {
  const { recall, precision, f, documents } = score
  report(`tables of ${documents} PDFs, F`, f.toFixed(3), `≥ ${GOAL}`, f >= GOAL)
  console.log(`  recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`)
}
