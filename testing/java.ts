/** What a program in Java finds in each of some files; `java-judges.ts` keeps it running. */
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'

/** Which program to ask, and about what. */
export interface Question {
  /** Arguments of `java`: options, and last the path of a source file, which Java compiles itself. */
  program: readonly string[]
  /** Each is a line of its standard input, which it answers with a line, one for each thing it found, and an empty one. */
  lines: readonly string[]
}

export type Answer = { reports: string[][] } | { error: string }

/**
 * Asks a program about some files at once.
 * @returns what it found in each
 * @throws if it does not run
 */
export async function askJava(question: Question): Promise<string[][]> {
  const socket = connect(process.env.REFILE_TEST_JUDGES!)
  socket.end(JSON.stringify(question))
  const answer = (await json(socket)) as Answer
  if ('error' in answer) throw new Error(`${question.program.at(-1)} does not run: ${answer.error}`)
  return answer.reports
}
