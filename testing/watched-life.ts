import { link, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Database } from '../service/watch/database.ts'
import { makeRule } from '../service/watch/rule.ts'
import { Watcher } from '../service/watch/watcher.ts'

/**
 * A process that watches `place/in`, moves originals to a folder, and can be killed: `node watched-life.ts PLACE ORIGINALS [once]`. What it
 * charges for outlives it, as what a service charges for does: each key once. It writes `watching` as it begins.
 */
const [, , place = '', originals = '', mode] = process.argv
const below = (name: string) => join(place, name)
const rule = makeRule(
  {
    ...{ folder: below('in'), recursive: true, pattern: '*', target: 'out', options: {} },
    ...{ out: below('out'), moveTo: originals },
  },
  below('home'),
)
using database = await Database.open(join(below('home'), 'watch'))
const watcher = new Watcher({
  ...{
    rule,
    database,
    home: below('home'),
    jobs: 4,
    intervalMs: 20,
    once: mode === 'once',
    recycle: async () => {},
  },
  converter: {
    credits: async () => 1,
    async convert({ path, name }, _target, { key }) {
      const text = await readFile(path, 'utf8')
      await pause(5)
      const charge = below(`${key}-${process.pid}-${Math.random()}`)
      await writeFile(charge, text)
      await link(charge, below(`charges/${key}`)).catch(() => {})
      return {
        ...{ fileName: `${name}.out`, fileCount: 1, warnings: [], remove: async () => {} },
        content: async () => Readable.from([Buffer.from(`made of ${text} `.repeat(2_000))]),
      }
    },
  },
})
process.stdout.write('watching')
await watcher.watch(new AbortController().signal)
