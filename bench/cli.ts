/**
 * What a person waits for at the prompt: `refile convert` of a small picture with nothing running and with the service
 * running. Linux only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { convert, median, reportMost, startBuiltService, timed } from './harness.ts'
import { photograph } from './pictures.ts'

const ROUNDS = 7
const main = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')

const start = (home: string, folder: string, args: readonly string[]) =>
  spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...process.env, REFILE_HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** Runs a command to its end. */
async function run(home: string, folder: string, args: readonly string[]): Promise<void> {
  const [code] = await once(start(home, folder, args), 'exit')
  if (code !== 0) throw new Error(`refile ${args.join(' ')} ended with ${code}`)
}

/** The median of several rounds, the first of which fills the caches and does not count. */
async function medianOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(work))
  return median(rounds)
}

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-cli-'))
const home = join(folder, 'home')
const picture = join(folder, 'small.png')
await writeFile(
  picture,
  await sharp(await photograph(320, 240))
    .png()
    .toBuffer(),
)
const args = ['convert', 'small.png', '--to', 'jpg', '--overwrite', '--quiet']

const cold = await medianOf(() => run(home, folder, args))
reportMost('refile convert of a small PNG, nothing running', cold / 1000, 1.2, 's')

const service = await startBuiltService()
try {
  const bytes = await readFile(picture)
  const conversion = await medianOf(() => convert(service, 'small.png', bytes, 'jpg'))
  const warm = await medianOf(() => run(service.home, folder, args))
  const above = (warm - conversion) / 1000
  reportMost('the same with the service running, above the conversion', above, 0.3, 's')
} finally {
  await service.stop()
}

await rm(folder, { recursive: true, force: true })
