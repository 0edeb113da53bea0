import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Preset } from '../../sdk/src/index.ts'
import { makeFolder } from '../../service/shared/make-folder.ts'
import { render } from '../../service/shared/messages/render.ts'
import { recycle } from '../../service/shared/recycle.ts'
import { defaultHome } from '../../service/shared/settings/table.ts'
import { Database } from '../../service/watch/database.ts'
import { makeRule, type Rule, ruleId } from '../../service/watch/rule.ts'
import { isLocked } from '../../service/watch/rules.ts'
import { type Status, statusOfRules } from '../../service/watch/status.ts'
import { Watcher } from '../../service/watch/watcher.ts'
import { type Catalogue, loadCatalogue, readOptions } from '../catalogue.ts'
import type { CliContext } from '../context.ts'
import { converterOver } from '../converter.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-codes.ts'
import { findPreset, presetOf } from '../presets.ts'
import { print } from '../print.ts'
import { Report } from '../report.ts'

export interface WatchFlags {
  to?: string
  preset?: string
  out?: string
  set: string[]
  pattern: string
  recursive?: boolean
  moveTo?: string
  original: 'keep' | 'recycle'
  jobs?: number
  interval: number
  retry?: boolean
  once?: boolean
  status?: boolean
  json?: boolean
  quiet?: boolean
}

/** `refile watch FOLDER --to FORMAT --out FOLDER`, and `refile watch --status` */
export async function watchCommand(
  folder: string | undefined,
  flags: WatchFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (flags.status) return watchStatus(flags.json ?? false, context)
  if (folder === undefined) throw new UsageError('Name the folder to watch.')
  const { settings, signal } = context
  const { pattern, out, original, moveTo = null, recursive = false } = flags
  const wanted = presetOf(flags, settings)
  if (out === undefined) throw new UsageError('Say where the results go, with --out.')
  if (moveTo !== null && original === 'recycle')
    throw new UsageError('Give --move-to or --original recycle, not both.')
  const home = settings.home ?? defaultHome()
  const options = readOptions(flags.set)
  // Contradictory options are reported before a service is started.
  const asked = makeRule(
    { folder, pattern, target: flags.to ?? '', out, recursive, options, moveTo, original },
    home,
  )
  const service = await context.service()
  const catalogue = await loadCatalogue(service, signal)
  const preset = wanted === undefined ? null : await findPreset(service, wanted, signal)
  const rule = preset ? withPreset(asked, preset, catalogue) : asked
  const { checkRule } = await import('../check.ts')
  await checkRule(rule, catalogue, service, signal)
  using database = await Database.open(join(home, 'watch'))
  if (isLocked(database, ruleId(rule)))
    throw new UsageError('This folder is already watched so, by another process.')
  await readdir(rule.folder)
  await makeFolder(rule.out)
  if (rule.moveTo !== null) await makeFolder(rule.moveTo)
  const report = new Report({ json: flags.json ?? false, quiet: flags.quiet ?? false })
  if (!flags.once) report.note(`Watching ${rule.folder}. Ctrl-C stops.`)
  const failed = new Set<string>()
  const watcher = new Watcher({
    ...{ rule, database, home, converter: converterOver(service.client), recycle },
    jobs: flags.jobs ?? settings.jobs ?? catalogue.maxConcurrentJobs,
    intervalMs: flags.interval * 1000,
    once: flags.once ?? false,
    onHold: reason => report.note(reason),
    report: happening => {
      const { file, output, warnings = [], error, notGone } = happening
      if (notGone !== undefined)
        return report.note(`${file}: the original could not go where the rule says, and stays in the folder.`)
      if (error) {
        failed.add(file)
        return report.failure(file, error.detail, happening)
      }
      failed.delete(file)
      for (const warning of warnings) report.note(`${file}: ${warning}`)
      report.result(file, [output ?? ''], happening)
    },
  })
  await watcher.watch(signal, flags.retry)
  return failed.size === 0 ? exitCode.done : exitCode.failed
}

/** `refile watch --status`: the rules of this machine and what has become of their files. */
async function watchStatus(json: boolean, { settings }: CliContext): Promise<ExitCode> {
  using database = await Database.open(join(settings.home ?? defaultHome(), 'watch'))
  const known = await statusOfRules(database)
  for (const each of known) {
    const problem = each.problem && render(each.problem, 'en')
    print(`${json ? JSON.stringify({ ...each, problem }) : statusText(each, problem)}\n`)
  }
  if (known.length === 0 && !json) print('No folder is watched.\n')
  return exitCode.done
}

function statusText({ rule, state, done, writing, parked, last }: Status, problem: string | null) {
  const facts = [state, `${done} converted`, ...(writing > 0 ? [`${writing} still being written`] : [])]
  return [
    `${rule.folder} to ${rule.target}: ${facts.join(', ')}`,
    ...(last ? [`  last: ${last.file}${last.output === undefined ? '' : ` → ${last.output}`}`] : []),
    ...(problem ? [`  ${problem}`] : []),
    ...parked.map(({ file, detail }) => `  ${file}: ${detail}`),
  ].join('\n')
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
