import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfFile } from '../../service/shared/file-hash.ts'
import { out, step } from './step.ts'

const NAME = 'SHA256SUMS'

/** Writes SHA256SUMS of all files in a folder, as `sha256sum -c` reads it. */
export async function writeSums(folder: string): Promise<void> {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    entry => entry.isFile() && entry.name !== NAME,
  )
  const lines: string[] = []
  for (const { name } of files) lines.push(`${await hashOfFile(join(folder, name))}  ${name}\n`)
  if (lines.length === 0) throw new Error(`There is nothing in ${folder}.`)
  writeFileSync(join(folder, NAME), lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''))
}

/** Sums by file name. */
export const parseSums = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .map(line => [line.slice(66), line.slice(0, 64)]),
  )

if (import.meta.main) await step(() => writeSums(out))
