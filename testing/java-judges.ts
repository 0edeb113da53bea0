/**
 * Judges in Java, each started once for all test files: one that has just started takes ten times as long for a file, since it first
 * loads its classes and rules. Vitest calls `setup` once; tests reach it over a socket.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import type { Answer, Question } from './java.ts'

interface Running {
  child: ChildProcess
  ask: (line: string) => Promise<string[]>
}

function start(program: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn('java', program, { env, stdio: 'pipe' })
  const asked: PromiseWithResolvers<string[]>[] = []
  let report: string[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000)
  })
  createInterface({ input: child.stdout }).on('line', line => {
    if (line !== '') return void report.push(line)
    asked.shift()?.resolve(report.slice(1))
    report = []
  })
  const fail = (error: unknown) => {
    for (const each of asked.splice(0)) each.reject(new Error(`${error}\n${errors}`))
  }
  child.once('error', fail)
  child.once('close', fail)
  child.stdin.on('error', fail)
  return {
    child,
    ask: line => {
      const answer = Promise.withResolvers<string[]>()
      asked.push(answer)
      child.stdin.write(`${line}\n`)
      return answer.promise
    },
  }
}

export async function setup({
  config,
}: {
  config: { env: Partial<Record<string, string>> }
}): Promise<() => Promise<void>> {
  const path = config.env.REFILE_TEST_JUDGES!
  const judges = new Map<string, Running>()

  async function answer({ program, lines }: Question): Promise<Answer> {
    const key = JSON.stringify(program)
    let judge = judges.get(key)
    if (!judge || judge.child.exitCode !== null || judge.child.signalCode !== null) {
      judge = start(program, { ...process.env, ...config.env })
      judges.set(key, judge)
    }
    try {
      return { reports: await Promise.all(lines.map(judge.ask)) }
    } catch (error) {
      return { error: String(error) }
    }
  }

  const server = createServer({ allowHalfOpen: true }, async socket => {
    socket.on('error', () => socket.destroy())
    // A test process that ends early asks nothing.
    const question = (await json(socket).catch(() => null)) as Question | null
    if (question) socket.end(JSON.stringify(await answer(question)))
  })
  await rm(path, { force: true })
  await new Promise<void>(resolve => server.listen(path, resolve))
  return async () => {
    for (const { child } of judges.values()) child.kill()
    await new Promise(resolve => server.close(resolve))
  }
}
