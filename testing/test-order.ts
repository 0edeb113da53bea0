import { globSync, readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../setup/root.mjs'

/** Files that take more than a quarter of a minute in one of the suites, though many of them are short to read. */
const SLOW =
  /(sweep|corpus|kill-points|io-errors|cluster|failover|upgrade|hosts|host\/roles|migrate|leases|recovery|jobs\/life|every-engine|hostile-files|office|transcribe|pdf\/tools|loudness|audio\/(extremes|further|pairs|hostile|fidelity|odd|parts|size|tags)|video\/(colours|cuts|hardware|pairs|smart-cut|targets)|drawn|app\/(preview|batches)|gate\/gate|watch\/watch|cli\/cli|service\/main|packaging(\/config)?)(\.full)?\.test\.ts$/

/** What a test file does that others in the same process would notice: it replaces modules, sets what modules read once, or loads tests. */
const OWN_PROCESS =
  /\bvi\.(mock|resetModules)\(|\bstubEnv\('REFILE_(?!MODELS)|import\('.*(\.test|\/(test|testing)\/.*)\.ts'\)|\/fake-electron\.ts'/

/** Some engines make the process so large that starting a program from it takes 40 ms instead of one. */
const LOADS_ENGINES = /\/(fixtures\/(convert|media)|testing\/workers)\.ts'/

/** Where engines are loaded that start no programs, so that the size of the process does not matter. */
const WITHOUT_PROGRAMS =
  /^service\/convert\/(converters\/(documents|ebooks|fonts|images)|engines\/(?!archives|media))/

/** The projects of test files, by what they need of a process, in their order: to be alone in it, or to share it with their like. */
const projects = ['alone', 'programs', 'engines', 'shared'] as const
export type TestProject = (typeof projects)[number]

const projectOf = (file: string): TestProject => {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (OWN_PROCESS.test(text)) return 'alone'
  if (!LOADS_ENGINES.test(text)) return 'shared'
  return WITHOUT_PROGRAMS.test(file) ? 'engines' : 'programs'
}

/** The test files below the project's folder, by project. */
export const filesByProject = (include: string): Record<TestProject, string[]> => {
  const found: Record<TestProject, string[]> = { alone: [], programs: [], engines: [], shared: [] }
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
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * projects.indexOf(project.name as TestProject) + (SLOW.test(moduleId) ? 0 : 1)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
