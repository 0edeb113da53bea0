import { join } from 'node:path'
import { defaultHome } from '../../service/shared/settings/table.ts'
import { Journal } from '../../service/shared/watch/journal.ts'
import { AlreadyWatched, lock } from '../../service/shared/watch/lock.ts'
import { makeRule, RuleRefused, ruleId } from '../../service/shared/watch/rule.ts'
import { watch } from '../../service/shared/watch/watch.ts'
import { loadCatalogue, readOptions } from '../catalogue.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-codes.ts'
import { Report } from '../report.ts'

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
  try {
    return await watchFolder(folder, flags, context)
  } catch (error) {
    const isWrongUse = error instanceof RuleRefused || error instanceof AlreadyWatched
    throw isWrongUse ? new UsageError(error.message) : error
  }
}

async function watchFolder(folder: string, flags: WatchFlags, context: Context): Promise<ExitCode> {
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
  await watch(rule, service.client, journal, {
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
