import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lively, make, mediaFolder, tool } from '../../../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** Bytes of audio in each of the two parts. */
const PART = 64_000_000

/** Where the audio starts, after the headers. */
function soundOf(bytes: Buffer, target: string): number {
  if (target === 'mp3') return bytes.indexOf(bytes.subarray(0, 2), 200)
  return bytes.indexOf('OggS', bytes.indexOf('OggS', 1) + 1)
}

/** Joins two files in a separate process and prints by how many megabytes its memory has grown. */
const joining = `
  const [name, file, path, output] = process.argv.slice(1)
  const join = (await import(file))[name]
  const before = process.resourceUsage().maxRSS
  await join([{ path, skip: 0, take: 100_000 }, { path, skip: 16 }], output)
  console.log((process.resourceUsage().maxRSS - before) / 1000)`

it.each([
  ['mp3', 'joinMp3', ['-b:a', '320k', '-reservoir', '0', '-id3v2_version', '0']],
  ['opus', 'joinOpus', ['-b:a', '128k']],
])('joining parts in %s takes little memory, whatever their length', (target, name, args) => {
  const short = readFileSync(make(at(`short.${target}`), ...lively(30), ...args))
  const start = soundOf(short, target)
  const sound = short.subarray(start)
  const path = at(`long.${target}`)
  writeFileSync(path, short.subarray(0, start))
  const block = Buffer.concat(Array<Buffer>(16).fill(sound))
  while (statSync(path).size < PART) appendFileSync(path, block)

  const file = join(import.meta.dirname, `${target}.ts`)
  const output = at(`joined.${target}`)
  const grown = tool(process.execPath, '--input-type=module', '--eval', joining, name, file, path, output)
  // Includes garbage that has not been collected yet.
  expect(Number(grown)).toBeLessThan(64)
  expect(statSync(output).size).toBeGreaterThan(PART)
})
