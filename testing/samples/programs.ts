/**
 * Starts programs from a shell beside this process. To start one itself, the system copies the page tables of the whole process and
 * throws them away again, which with an engine loaded takes ten times as long as `pdfinfo` or `sox` does.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Ran {
  /** Exit status; 128 more than its number after a signal. */
  status: number
  stdout: Buffer
  stderr: Buffer
}

interface Shell {
  /** Takes the path of a script in each line. */
  commands: number
  /** Has the exit status of each. */
  answers: number
  /** Environment that it was started with. */
  env: NodeJS.ProcessEnv
}

let shell: Shell | undefined

/** Starts the shell, which ends with this process: then nobody is left who writes to its pipe. */
function start(): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'refile-shell-'))
  const pipes = ['commands', 'answers'].map(name => join(folder, name))
  spawnSync('mkfifo', pipes)
  const loop =
    'exec <"$0" 7>"$1"; while read -r script; do (exec 7>&-; . "$script"); echo $? >&7; done 2>/dev/null'
  const env = { ...process.env }
  spawn('sh', ['-c', loop, ...pipes], { stdio: 'ignore', env }).unref()
  // In the order in which the shell opens them, since each waits for the other end.
  const [commands, answers] = [openSync(pipes[0]!, 'w'), openSync(pipes[1]!, 'r')]
  rmSync(folder, { recursive: true })
  return { commands, answers, env }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Lines of a shell that make one environment of another. */
const changes = (from: NodeJS.ProcessEnv, to: NodeJS.ProcessEnv) =>
  Object.keys({ ...from, ...to })
    .filter(name => from[name] !== to[name] && /^\w+$/.test(name))
    .map(name => (to[name] === undefined ? `unset ${name}` : `export ${name}=${quoted(to[name])}`))

/** Runs a program and waits for its end. @throws Error if there is no such program */
export function run(
  program: string,
  args: readonly string[],
  {
    cwd = process.cwd(),
    env = process.env,
    input = '',
  }: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string | Uint8Array } = {},
): Ran {
  shell ??= start()
  const script = join(tmpdir(), `run-${process.pid}`)
  const [stdin, stdout, stderr] = ['in', 'out', 'err'].map(name => `${script}.${name}`) as [
    string,
    string,
    string,
  ]
  if (input.length > 0) writeFileSync(stdin, input)
  const streams = `<${quoted(input.length > 0 ? stdin : '/dev/null')} >${quoted(stdout)} 2>${quoted(stderr)}`
  const command = `exec ${[program, ...args].map(quoted).join(' ')} ${streams}`
  writeFileSync(script, [...changes(shell.env, env), `cd ${quoted(cwd)}`, command].join('\n'))
  writeSync(shell.commands, `${script}\n`)
  const answer = Buffer.alloc(8)
  const length = readSync(shell.answers, answer)
  if (length === 0) throw new Error('The shell that starts programs has ended.')
  const [out, err] = [stdout, stderr].map(path => readFileSync(path)) as [Buffer, Buffer]
  for (const path of [script, stdin, stdout, stderr]) rmSync(path, { force: true })
  const status = Number(answer.toString('latin1', 0, length))
  // As the system says it: by this a test is known that cannot be judged here.
  if (status === 127 && !program.includes('/')) throw new Error(`spawn ${program} ENOENT`)
  return { status, stdout: out, stderr: err }
}

/**
 * The same for programs that must succeed.
 * @returns what it printed
 * @throws if its exit status is not 0, with its messages
 */
export function output(...[program, args, options]: Parameters<typeof run>): Buffer {
  const { status, stdout, stderr } = run(program, args, options)
  if (status === 0) return stdout
  throw Object.assign(new Error(`${program} ended with ${status}: ${stderr}`), { status, stdout, stderr })
}
