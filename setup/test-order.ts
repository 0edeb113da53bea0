import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take half a minute and longer, though many of them are short to read. */
const SLOW =
  /(sweep|kill-points|faults\/hosts\/cluster|every-engine|hostile-files|office|transcribe|audio\/(pairs|hostile|corpus|fidelity|parts)|images\/corpus|loudness|named-colour|docx|packaging\/.*)\.test\.ts$/

/**
 * Begins with the slow files, so that none is left to run alone at the end. Vitest knows how long each took the last time, but
 * in a fresh clone there was none, and it goes by their sizes.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = (file: TestSpecification) => SLOW.test(file.moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))]
  }
}
