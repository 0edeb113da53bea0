import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defaultHome } from '../../service/shared/settings/table.ts'
import { loadCatalogue, readOptions } from '../catalogue.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-codes.ts'
import { Report } from '../report.ts'
import { Journal } from '../watch/journal.ts'
import { makeRule, ruleId } from '../watch/rule.ts'
import { watch } from '../watch/watch.ts'

export interface WatchFlags {
  to: string
  out: string
  set: string[]
  pattern: string
  recursive?: boolean
  moveTo?: string
  jobs?: number
  interval: number
  retry?: boolean
  once?: boolean
  json?: boolean
  quiet?: boolean
}

/** `refile watch FOLDER --to FORMAT --out FOLDER` */
export async function watchCommand(folder: string, flags: WatchFlags, context: Context): Promise<ExitCode> {
  const { settings, signal } = context
  const rule = makeRule({
    ...{ folder, pattern: flags.pattern, target: flags.to, out: flags.out },
    recursive: flags.recursive ?? false,
    options: readOptions(flags.set),
    moveTo: flags.moveTo ?? null,
  })
  const base = join(settings.home ?? defaultHome(), 'watch', ruleId(rule))
  await using _lock = await lock(`${base}.lock`)
  await using journal = await Journal.open(`${base}.jsonl`)
  const service = await context.service()
  const { maxConcurrentJobs } = await loadCatalogue(service)
  const report = new Report({ json: flags.json ?? false, quiet: flags.quiet ?? false })
  if (!flags.once) report.note(`Watching ${rule.folder}. Ctrl-C stops.`)
  let failures = 0
  await watch(rule, service, journal, {
    jobs: flags.jobs ?? settings.jobs ?? maxConcurrentJobs,
    intervalMs: flags.interval * 1000,
    signal,
    retry: flags.retry ?? false,
    once: flags.once ?? false,
    report: happening => {
      const { file, output, warnings = [], error } = happening
      if (error) {
        failures++
        return report.failure(file, error.detail, happening)
      }
      for (const warning of warnings) report.note(`${file}: ${warning}`)
      report.result(file, [output ?? ''], happening)
    },
  })
  return failures === 0 ? exitCode.done : exitCode.failed
}

/** Keeps a second watcher of the same rule away. @throws UsageError if there is one */
async function lock(path: string): Promise<AsyncDisposable> {
  const owner = Number(await readFile(path, 'utf8').catch(() => ''))
  if (owner > 0 && isRunning(owner))
    throw new UsageError(`This folder is already watched so, by process ${owner}.`)
  await rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
