import { globSync, readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './root.mjs'

/** Files that take half a minute and longer, though many of them are short to read. */
const SLOW =
  /(sweep|kill-points|faults\/hosts\/cluster|every-engine|hostile-files|office|transcribe|audio\/(pairs|hostile|corpus|fidelity|parts)|images\/corpus|loudness|named-colour|docx|packaging\/.*)\.test\.ts$/

/**
 * What a test file does that others in the same process would notice: it replaces modules, sets what modules read once, or loads
 * tests from other files. One that loads engines makes the process so large that starting a program from it takes 40 ms instead of one.
 */
const OWN_PROCESS =
  /\bvi\.(mock|resetModules)\(|\bstubEnv\('REFILE_|import\('.*(\.test|\/test\/.*)\.ts'\)|\/(fake-electron|test\/(convert|media|workers))\.ts'/

/** The name of the project of those that run in a process of their own. */
export const ALONE = 'alone'

/** The test files below the project's folder that need a process of their own; all others share a few. */
export const filesAlone = (include: string): string[] =>
  globSync(include, { cwd: root }).filter(file => OWN_PROCESS.test(readFileSync(`${root}/${file}`, 'utf8')))

/**
 * Begins with the files that have a process of their own, so that no shared one ends early, and in both with the slow ones, so that
 * none is left to run alone at the end. Vitest knows how long each took the last time, but in a fresh clone there was none, and it uses
 * their sizes.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId, project }: TestSpecification) =>
      (project.name === ALONE ? 0 : 2) + (SLOW.test(moduleId) ? 0 : 1)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
