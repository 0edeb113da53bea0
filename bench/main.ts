/** `npm run bench [name…]`: runs the benchmarks named, or all of them, one after another. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const helpers = new Set(['main', 'harness', 'pictures', 'warm-worker', 'built-worker'])
const all = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map(name => name.slice(0, -'.ts'.length))
  .filter(name => !helpers.has(name))

const named = process.argv.slice(2)
const unknown = named.find(name => !all.includes(name))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". There are: ${all.join(', ')}.`)
  process.exit(1)
}
for (const name of named.length > 0 ? named : all) {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
