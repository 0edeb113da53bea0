import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Preset } from '../../sdk/src/index.ts'
import { makeFolder } from '../../service/shared/make-folder.ts'
import { recycle } from '../../service/shared/recycle.ts'
import { defaultHome } from '../../service/shared/settings/table.ts'
import { Journal } from '../../service/shared/watch/journal.ts'
import { AlreadyWatched, lock } from '../../service/shared/watch/lock.ts'
import { OtherRules } from '../../service/shared/watch/others.ts'
import { makeRule, type Rule, RuleRefused, ruleId } from '../../service/shared/watch/rule.ts'
import { watch } from '../../service/shared/watch/watch.ts'
import { type Catalogue, loadCatalogue, readOptions } from '../catalogue.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCode, exitCodeOf, messageOf, UsageError } from '../exit-codes.ts'
import { findPreset, presetOf } from '../presets.ts'
import { Report } from '../report.ts'

export interface WatchFlags {
  to?: string
  preset?: string
  out: string
  set: string[]
  pattern: string
  recursive?: boolean
  moveTo?: string
  original: 'keep' | 'recycle'
  jobs?: number
  interval: number
  retry?: boolean
  once?: boolean
  json?: boolean
  quiet?: boolean
}

/** Time until a service or a folder that is gone is tried again. */
const TRY_AGAIN_MS = 5_000

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
  const wanted = presetOf(flags, settings)
  // Contradictory options are reported before a service is started.
  const asked = makeRule({
    ...{ folder, pattern: flags.pattern, target: flags.to ?? '', out: flags.out },
    recursive: flags.recursive ?? false,
    options: readOptions(flags.set),
    moveTo: flags.moveTo ?? null,
    original: flags.original,
  })
  const service = await context.service()
  const catalogue = await loadCatalogue(service, signal)
  const preset = wanted === undefined ? null : await findPreset(service, wanted, signal)
  const rule = preset ? withPreset(asked, preset, catalogue) : asked
  const { checkRule } = await import('../check.ts')
  await checkRule(rule, catalogue, service, signal)
  const rules = join(settings.home ?? defaultHome(), 'watch')
  const base = join(rules, ruleId(rule))
  await using _lock = await lock(`${base}.lock`, rule)
  await using journal = await Journal.open(`${base}.jsonl`)
  await makeFolder(rule.out)
  const report = new Report({ json: flags.json ?? false, quiet: flags.quiet ?? false })
  if (!flags.once) report.note(`Watching ${rule.folder}. Ctrl-C stops.`)
  const failed = new Set<string>()
  let [hasWorked, told] = [false, '']
  const watchOnce = (retry: boolean) =>
    watch(rule, service.client, journal, {
      jobs: flags.jobs ?? settings.jobs ?? catalogue.maxConcurrentJobs,
      intervalMs: flags.interval * 1000,
      ...{ signal, retry, recycle },
      once: flags.once ?? false,
      others: new OtherRules(rules, ruleId(rule)),
      onLook: () => {
        hasWorked = true
      },
      report: happening => {
        const { file, output, warnings = [], error, notRecycled } = happening
        if (notRecycled !== undefined)
          return report.note(`${file}: it could not go to the recycle bin, and stays in the folder.`)
        if (error) {
          failed.add(file)
          return report.failure(file, error.detail, happening)
        }
        failed.delete(file)
        for (const warning of warnings) report.note(`${file}: ${warning}`)
        report.result(file, [output ?? ''], happening)
      },
    })
  for (let retry = flags.retry ?? false; ; retry = false) {
    try {
      await watchOnce(retry)
      return failed.size === 0 ? exitCode.done : exitCode.failed
    } catch (error) {
      // What worked before may work again: a service that is started again, or a disk that is connected again.
      if (flags.once || !hasWorked || exitCodeOf(error) !== exitCode.failed) throw error
      const reason = messageOf(error)
      if (reason !== told) report.note(`${reason} Refile tries again until it works.`)
      told = reason
      await pause(TRY_AGAIN_MS, undefined, { signal })
    }
  }
}

/**
 * A rule with the target and the options of a preset, for the format that the pattern names. Options of the command line come before
 * those of the preset.
 * @throws UsageError if the preset makes nothing of the files, or different things of different files
 */
function withPreset(rule: Rule, { name, choices }: Preset, catalogue: Catalogue): Rule {
  const formats = new Set(catalogue.edgesOf(rule.pattern).map(({ sourceFormat }) => sourceFormat))
  const all = Object.entries(choices).filter(([format]) => formats.size === 0 || formats.has(format))
  const [choice, ...others] = new Map(all.map(([, each]) => [JSON.stringify(each), each])).values()
  if (!choice) throw new UsageError(`The preset "${name}" has nothing for these files.`)
  if (others.length > 0)
    throw new UsageError(
      `The preset "${name}" makes different things of different files. Name those of one kind, such as --pattern "*.heic".`,
    )
  return { ...rule, target: rule.target || choice.target, options: { ...choice.options, ...rule.options } }
}
