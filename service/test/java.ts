/** Judges in Java: compiled once, since compiling one takes longer than what it judges. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { made } from './cache.ts'
import { tool } from './media.ts'

/**
 * The arguments of `java` for one of the programs beside this file.
 * @param libraries paths of archives that it uses
 */
export function javaProgram(name: string, libraries: readonly string[]): string[] {
  const source = join(import.meta.dirname, `${name}.java`)
  const folder = mkdtempSync(join(tmpdir(), 'refile-java-'))
  const compiled = made(
    join(folder, `${name}.jar`),
    'javac',
    [source, ...libraries.map(path => basename(path))],
    () => {
      const classes = join(folder, 'classes')
      tool('javac', '-proc:none', '-cp', libraries.join(':'), '-d', classes, source)
      tool('jar', 'cf', join(folder, `${name}.jar`), '-C', classes, '.')
    },
  )
  return ['-cp', [compiled, ...libraries].join(':'), name]
}
