import { cpSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { stringify } from 'yaml'
import { readFeed } from './feed.ts'
import { out, step } from './step.ts'

/**
 * Collects what the machines of a release have built. Those of one system and two processors wrote feeds of the same name, which become
 * one: electron-updater takes the file that has the own processor in its name.
 * @param folder with a folder of each machine
 * @throws Error if two machines built a file of the same name
 */
export function mergePackages(folder: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const path of globSync('*/*', { cwd: folder }).toSorted()) {
    const from = join(folder, path)
    const to = join(target, basename(path))
    if (!existsSync(to)) cpSync(from, to)
    else if (/^latest.*\.yml$/.test(basename(path))) {
      const [one, other] = [readFeed(to), readFeed(from)]
      if (one.version !== other.version)
        throw new Error(`${basename(path)} offers ${one.version} and ${other.version}.`)
      writeFileSync(to, stringify({ ...one, files: [...one.files, ...other.files] }))
    } else throw new Error(`${basename(path)} was built twice.`)
  }
}

if (import.meta.main) await step(() => mergePackages(process.argv[2] ?? 'packages', out))
