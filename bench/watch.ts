/** What 100,000 files at rest in a watched folder cost, in a process like the service's, and how soon a new one is noticed. Linux only. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { Database } from '../service/watch/database.ts'
import { stampOf } from '../service/watch/looking.ts'
import { ruleId } from '../service/watch/rule.ts'
import { allRules } from '../service/watch/rules.ts'
import type { Progress } from '../service/watch/status.ts'
import { Watcher } from '../service/watch/watcher.ts'
import { ownMegabytes, processorSeconds, reportMost } from './harness.ts'

const [FOLDERS, FILES, REST_MS] = [100, 1_000, 30_000]

const place = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'refile-watch-'))
const [folder, out, home] = [join(place, 'in'), join(place, 'out'), join(place, 'home')]
const rule = { folder, out, moveTo: null, recursive: true, pattern: '*', target: 'webp', options: {} }
const before = ownMegabytes(process.pid)

if (process.argv[2] === undefined) {
  process.on('exit', () => rmSync(place, { recursive: true, force: true }))
  await mkdir(out)
  using database = await Database.open(join(home, 'watch'))
  const files = Array.from({ length: FOLDERS * FILES }, (_, at) =>
    join(folder, `${at % FOLDERS}`, `IMG_${at}.jpg`),
  )
  for (let at = 0; at < FOLDERS; at++) await mkdir(join(folder, `${at}`), { recursive: true })
  database.set('BEGIN')
  for (const path of files) {
    await writeFile(path, 'x')
    const [file, stamp] = [relative(folder, path), (await stampOf(path)) ?? '']
    const entry = { file, stamp, content: 'x'.repeat(64), state: 'done', output: join(out, file), result: '' }
    const sql = 'INSERT INTO entries (rule, file, content, state, entry) VALUES (?, ?, ?, ?, ?)'
    database.set(sql, ruleId(rule), file, entry.content, entry.state, JSON.stringify(entry))
  }
  database.set('COMMIT')
  const own = [...serviceProcess.nodeOptions, import.meta.filename, place]
  process.exit(spawnSync(process.execPath, own, { stdio: 'inherit' }).status ?? 1)
}

const database = await Database.open(join(home, 'watch'))
const converter = { credits: async () => 0, convert: () => new Promise<never>(() => {}) }
const watcher = new Watcher({ rule, database, home, converter, recycle: async () => {} })
void watcher.watch(new AbortController().signal)
const progress = () => allRules(database)[0]?.progress as Progress | null
while (!progress()) await delay(100)
// On a busy machine the first look takes a while.
await delay(REST_MS)
const used = processorSeconds(process.pid)
await delay(REST_MS)
const percent = ((processorSeconds(process.pid) - used) / REST_MS) * 100_000
const megabytes = ownMegabytes(process.pid) - before
const started = performance.now()
await writeFile(join(folder, '7', 'new.jpg'), 'x')
while (!progress()?.writing) await delay(10)
const seconds = (performance.now() - started) / 1000
const files = '100,000 files at rest'
reportMost(`${files}: processor`, percent, 1, '% of a core')
reportMost(`${files}: memory`, megabytes, 60, 'MB')
reportMost('a new file is noticed', seconds, 2, 's')
process.exit()
