/** What 100,000 files at rest in a watched folder cost, in a process like the service's, and how soon a new one is noticed. Linux only. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { Looker } from '../service/watch/looking.ts'
import { ownMegabytes, processorSeconds, report } from './harness.ts'

const [FOLDERS, FILES, REST_MS, LOOK_MS] = [100, 1_000, 30_000, 2_000]

const own = [...serviceProcess.nodeOptions, import.meta.filename]
if (process.execArgv.length === 0)
  process.exit(spawnSync(process.execPath, own, { stdio: 'inherit' }).status ?? 1)

const before = ownMegabytes(process.pid)
const place = mkdtempSync(join(tmpdir(), 'refile-watch-'))
process.on('exit', () => rmSync(place, { recursive: true, force: true }))
for (let folder = 0; folder < FOLDERS; folder++) {
  await mkdir(join(place, `${folder}`))
  const names = Array.from({ length: FILES }, (_, at) => join(place, `${folder}`, `IMG_${at}.jpg`))
  await Promise.all(names.map(name => writeFile(name, 'x')))
}

let [wake, notice] = [() => {}, () => {}]
const rule = { folder: place, recursive: true, pattern: '*', target: '', options: {}, out: '', moveTo: null }
const looker = new Looker(rule, '/none', LOOK_MS, () => wake())
const look = () => looker.look({ changed: () => notice(), gone: () => {} }, [])
await look()
const stopping = new AbortController()
const looking = (async () => {
  while (!stopping.signal.aborted) {
    const woken = new Promise<void>(resolve => {
      wake = resolve
    })
    await look()
    await Promise.race([woken, delay(LOOK_MS)])
  }
})()
await delay(REST_MS / 3)
const used = processorSeconds(process.pid)
await delay(REST_MS)
const percent = ((processorSeconds(process.pid) - used) / REST_MS) * 100_000
const megabytes = ownMegabytes(process.pid) - before
const noticed = new Promise<void>(resolve => {
  notice = resolve
})
const started = performance.now()
await writeFile(join(place, '7', 'new.jpg'), 'x')
await noticed
const seconds = (performance.now() - started) / 1000
stopping.abort()
await looking
const files = '100,000 files at rest'
report(`${files}: processor`, `${percent.toFixed(2)} % of a core`, '≤ 1 %', percent <= 1)
report(`${files}: memory`, `${megabytes.toFixed(0)} MB`, '≤ 60 MB', megabytes <= 60)
report('a new file is noticed', `${seconds.toFixed(2)} s`, '≤ 2 s', seconds <= 2)
process.exit()
