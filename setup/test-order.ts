import { globSync, readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './root.mjs'

/** Files that take half a minute and longer, though many of them are short to read. */
const SLOW =
  /(sweep|kill-points|faults\/hosts\/cluster|every-engine|hostile-files|office|transcribe|audio\/(pairs|hostile|corpus|fidelity|parts)|images\/corpus|loudness|named-colour|docx|packaging\/.*)\.test\.ts$/

/** What a test file does that others in the same process would notice: it replaces modules, sets what modules read once, or loads tests. */
const OWN_PROCESS =
  /\bvi\.(mock|resetModules)\(|\bstubEnv\('REFILE_|import\('.*(\.test|\/(test|samples)\/.*)\.ts'\)|\/fake-electron\.ts'/

/** One that loads engines makes the process so large that starting a program from it takes 40 ms instead of one. */
const LOADS_ENGINES = /\/(samples\/(convert|media)|test\/workers)\.ts'/

/** Where engines are loaded that start no programs, so that the size of the process does not matter. */
const WITHOUT_PROGRAMS =
  /^service\/convert\/(converters\/(documents|ebooks|fonts|images)|engines\/(?!archives|ffmpeg|flac|speech|taglib|wav|whisper|pocketsphinx))/

/** The projects of test files, by what they need of a process: to be alone in it, to share it with engines, or only with others. */
export type TestProject = 'alone' | 'engines' | 'shared'

const projectOf = (file: string): TestProject => {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (OWN_PROCESS.test(text)) return 'alone'
  if (!LOADS_ENGINES.test(text)) return 'shared'
  return WITHOUT_PROGRAMS.test(file) ? 'engines' : 'alone'
}

/** The test files below the project's folder, by project. */
export const filesByProject = (include: string): Record<TestProject, string[]> => {
  const found: Record<TestProject, string[]> = { alone: [], engines: [], shared: [] }
  for (const file of globSync(include, { cwd: root })) found[projectOf(file)].push(file)
  return found
}

/**
 * Begins with the files that have a process of their own, so that no shared one ends early, and in each project with the slow ones, so
 * that none is left to run alone at the end. Vitest knows how long each took the last time, but in a fresh clone there was none, and it uses
 * their sizes.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects: string[] = ['alone', 'engines', 'shared'] satisfies TestProject[]
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (SLOW.test(moduleId) ? 0 : 1)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
