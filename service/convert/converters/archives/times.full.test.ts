import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { zipOf } from '../../../../testing/hostile-archives.ts'
import { rar4, rar5 } from '../../../../testing/rar.ts'

const files = testFiles('archive-times')

/** Noon on a day of 2020, in DOS format. */
const noon = (month: number) => ((((40 << 9) | (month << 5) | 1) << 16) | (12 << 11)) >>> 0

const data = Buffer.from('some text')
const members = [
  { name: 'winter.txt', data, dosTime: noon(1), seconds: 1e9 },
  { name: 'summer.txt', data, dosTime: noon(7), seconds: 1e9 },
]

/** UTC times of the members after conversion to TAR in this time zone. */
function timesIn(zone: string, source: 'rar' | 'zip', path: string): string[] {
  const script = `
    const { convert } = await import(${JSON.stringify(join(import.meta.dirname, 'work.ts'))})
    const [path, source, folder] = process.argv.slice(1)
    const input = { path, name: 'a', stem: 'a', bytes: 1, format: source }
    const ignore = () => {}
    await convert({ input, source, target: 'tar', options: {}, folder, cores: 1, progress: ignore, warn: ignore, consumed: ignore })`
  const folder = files.path(`${zone.replace('/', '-')}-${path.split('/').at(-1)}`)
  mkdirSync(folder)
  execFileSync(process.execPath, ['--input-type=module', '-e', script, path, source, folder], {
    env: { ...process.env, TZ: zone },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const listed = execFileSync('tar', ['--utc', '--full-time', '-tvf', join(folder, 'archive')]).toString()
  return [...listed.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g)].map(([time]) => time)
}

test.each([
  ['rar', rar4(members)],
  ['zip', zipOf(members)],
] as const)(
  'times without a zone are those of this machine, in summer and in winter: %s',
  (source, bytes) => {
    const path = files.write(bytes, source)
    expect(timesIn('UTC', source, path)).toEqual(['2020-01-01 12:00:00', '2020-07-01 12:00:00'])
    expect(timesIn('America/New_York', source, path)).toEqual(['2020-01-01 17:00:00', '2020-07-01 16:00:00'])
    expect(timesIn('Asia/Tokyo', source, path)).toEqual(['2020-01-01 03:00:00', '2020-07-01 03:00:00'])
  },
)

test('times of RAR 5 are the same everywhere', () => {
  const path = files.write(rar5(members), 'rar')
  for (const zone of ['UTC', 'Asia/Tokyo'])
    expect(timesIn(zone, 'rar', path)).toEqual(['2001-09-09 01:46:40', '2001-09-09 01:46:40'])
})
