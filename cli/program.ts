import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import { estimate, formats, optionRows, options } from './commands/catalogue.ts'
import { type ConvertFlags, convert } from './commands/convert.ts'
import {
  cancel,
  createKey,
  doctor,
  downloads,
  install,
  jobs,
  listKeys,
  removePack,
  revokeKey,
} from './commands/owner.ts'
import { type WatchFlags, watchCommand } from './commands/watch.ts'
import { complete, completionScript, pairAmong, shells } from './completion.ts'
import { type CliContext, createContext } from './context.ts'
import { type ExitCode, exitCode } from './exit-codes.ts'
import { print, say } from './print.ts'
import type { Programs } from './service.ts'
import { readSettings, type Settings } from './settings.ts'

type Run = (context: CliContext) => Promise<number>

/**
 * Runs a command line and returns its exit code.
 * @param words without the program itself
 */
export async function runCommand(
  words: readonly string[],
  programs: Programs,
  signal: AbortSignal,
): Promise<number> {
  let chosen: Run | undefined
  const program = describeProgram(run => {
    chosen = run
  })
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help that was asked for is a success; what was typed wrongly is not.
    if (error.exitCode !== 0) return exitCode.usage
    await using context = createContext(settingsOf(program), programs, signal)
    return helpOfPair(words, context)
  }
  await using context = createContext(settingsOf(program), programs, signal)
  return (await chosen?.(context)) ?? exitCode.done
}

const settingsOf = (program: Command) =>
  readSettings(program.opts<Settings>(), process.cwd(), process.env, text => say(`refile: ${text}`))

/** What can be the first word of a command line. */
export const commandNames = (): string[] => [
  'help',
  ...describeProgram(() => {}).commands.map(command => command.name()),
]

const many = (value: string, before: string[] = []) => [...before, value]

const count = (value: string) => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It is a whole number of 1 or more.')
  return number
}

const amount = (value: string) => {
  const number = Number(value)
  if (value === '' || !(number >= 0)) throw new InvalidArgumentError('It is a number of 0 or more.')
  return number
}

const time = (value: string) => {
  const found = new Date(value)
  if (Number.isNaN(found.getTime())) throw new InvalidArgumentError('It is a date, such as 2027-01-31.')
  return found.toISOString()
}

/** All commands; `choose` gets the one that was typed, to be run with the settings. */
export function describeProgram(choose: (run: Run) => void): Command {
  const program = new Command('refile')
    .description('Converts files on this machine.')
    .option('--url <url>', 'use the service at this address (REFILE_URL)')
    .option('--key <key>', 'API key for it (REFILE_API_KEY)')
    .option('--home <folder>', "data folder of this machine's service (REFILE_HOME)")
    .version(packageFile.version)
    .exitOverride()
    .showHelpAfterError('(refile --help lists the commands.)')
  const json = () => new Option('--json', 'print one JSON object a line')

  program
    .command('convert')
    .description('convert files')
    .argument('[files...]', 'files, folders with --recursive, patterns, or - for standard input')
    .option('-t, --to <format>', 'what they are to become, such as jpg')
    .option('--then <format>', 'what that is to become in the same job; repeatable', many, [])
    .option('-f, --from <format>', 'what they are, instead of what their names say')
    .option('-o, --out <folder>', 'folder for the results; by default beside each file')
    .option('-n, --name <template>', 'name of results without extension: {name}, {ext}, {target}, {index}')
    .option(
      '-s, --set <name=value>',
      'an option of the conversion, such as quality=80, or of a further step, such as 2.quality=80; repeatable',
      many,
      [],
    )
    .option('-p, --preset <name>', 'a preset of the app, or of the account that --key belongs to')
    .option('-j, --jobs <number>', 'files converted at once', count)
    .option('-r, --recursive', 'convert the files in folders too')
    .option('--unpack', 'save several files of one conversion as files, instead of a ZIP')
    .option('--skip-existing', 'leave out files whose result exists')
    .option('--overwrite', 'replace existing files, instead of numbering results')
    .option('--dry-run', 'say what would be written, and convert nothing')
    .option('--fail-on-warnings', 'exit with 1 if a conversion lost something')
    .option('-0, --null', 'read file names from standard input, ended by zero bytes')
    .option('-q, --quiet', 'print results only')
    .addOption(json())
    .action((files: string[], flags: ConvertFlags) => choose(context => convert(files, flags, context)))

  program
    .command('watch [folder]')
    .description('convert the files that come into a folder')
    .option('-t, --to <format>', 'what they are to become, such as jpg')
    .option('--preset <name>', 'a preset of the app, or of the account that --key belongs to')
    .option('-o, --out <folder>', 'folder for the results, outside of the watched one')
    .option('-p, --pattern <glob>', 'the files that count, such as "*.heic"', '*')
    .option('-s, --set <name=value>', 'an option of the conversion; repeatable', many, [])
    .option('-r, --recursive', 'watch the folders in it too')
    .option('--move-to <folder>', 'move originals there once their result is saved')
    .addOption(
      new Option(
        '--original <fate>',
        'whether originals stay or go to the recycle bin once their result is saved',
      )
        .choices(['keep', 'recycle'])
        .default('keep'),
    )
    .option('-j, --jobs <number>', 'files converted at once', count)
    .option('--interval <seconds>', 'time between two looks at the folder', amount, 2)
    .option('--retry', 'try again what failed before')
    .option('--once', 'end when there is nothing left to do')
    .option('--status', 'say what is watched on this machine and what has become of the files, and end')
    .option('-q, --quiet', 'print results only')
    .addOption(json())
    .action((folder: string | undefined, flags: WatchFlags) =>
      choose(context => watchCommand(folder, flags, context)),
    )

  program
    .command('formats [format]')
    .description('list what can be converted, or what a format or a file can become')
    .addOption(json())
    .action((format, flags) => choose(context => formats(format, flags, context)))
  program
    .command('options <from> <to>')
    .description('list the options of a conversion')
    .addOption(json())
    .action((from, to, flags) => choose(context => options(from, to, flags, context)))
  program
    .command('estimate <from> <to>')
    .description('print the credits that a conversion costs')
    .option('--bytes <number>', 'size of the file', amount)
    .option('--pages <number>', 'its pages', amount)
    .option('--minutes <number>', 'its length', amount)
    .option('--variant <key>', 'variant, such as fast')
    .addOption(json())
    .action((from, to, { bytes, pages, minutes, variant, ...flags }) =>
      choose(context => {
        const given = { fileSizeBytes: bytes, pageCount: pages, durationMinutes: minutes, variant }
        return estimate(from, to, given, flags, context)
      }),
    )
  program
    .command('jobs')
    .description('list the newest jobs')
    .addOption(json())
    .action(flags => choose(context => jobs(flags, context)))
  program
    .command('cancel <ids...>')
    .description('cancel jobs')
    .action((ids: string[]) => choose(context => cancel(ids, context)))

  const key = program.command('key').description('API keys of this machine')
  key
    .command('create <name>')
    .description('create a key and print it; it is shown only now')
    .option('--budget <credits>', 'credits that it may spend in a month', amount)
    .option('--expires <date>', 'when it ends, such as 2027-01-31', time)
    .option(
      '--address <range>',
      'an address or range, such as 10.0.0.0/8, that may use it; repeatable',
      many,
      [],
    )
    .option('--guest', 'it may not convert from a URL, nor have webhooks')
    .addOption(json())
    .action((name, flags) => choose(context => createKey(name, flags, context)))
  key
    .command('list')
    .description('list the keys')
    .addOption(json())
    .action(flags => choose(context => listKeys(flags, context)))
  key
    .command('revoke <key>')
    .description('revoke a key by id or name')
    .action(id => choose(context => revokeKey(id, context)))

  for (const [kind, what, add] of [
    ['models', 'speech models', 'install'],
    ['packs', 'parts of Refile, such as languages, fonts and LibreOffice,', 'add'],
  ] as const) {
    const group = program.command(kind).description(`list and download ${what.replace(/,$/, '')}`)
    group
      .command('list', { isDefault: true })
      .description(`list ${what} and which are installed`)
      .addOption(json())
      .action(flags => choose(context => downloads(kind, flags, context)))
    group
      .command(`${add} <id>`)
      .description('download one, unless it is installed')
      .action(id => choose(context => install(kind, id, context)))
    if (kind === 'packs')
      group
        .command('remove <id>')
        .description('delete what was downloaded')
        .action(id => choose(context => removePack(id, context)))
  }
  program
    .command('doctor')
    .description('say which engines work here, and what is missing')
    .option('--encoders', 'try the encoders of video instead, also those of graphics cards')
    .addOption(json())
    .action(flags => choose(context => doctor(flags, context)))

  program
    .command('mcp')
    .description('offer conversions to agents, over the Model Context Protocol; see docs/agents.md')
    .option('--allow <folder>', 'a folder that files may come from and go to; repeatable', many, [])
    .action((flags: { allow: string[] }) =>
      choose(async context => {
        // Its packages take longer to load than all else of the command line.
        const { mcp } = await import('./commands/mcp.ts')
        return mcp(flags, context)
      }),
    )

  for (const [name, text, first] of [
    ['serve', 'run the service until it is stopped; see docs/api.md', []],
    ['migrate', 'copy a data folder to PostgreSQL; see docs/scale.md', ['migrate']],
    [
      'account',
      'create, list, limit and close accounts, and sign in to them; see docs/scale.md',
      ['account'],
    ],
  ] as const) {
    program
      .command(`${name} [words...]`)
      .description(text)
      .allowUnknownOption()
      .helpOption(false)
      .action((words: string[]) => choose(context => runService([...first, ...words], context)))
  }

  program
    .command('completion')
    .description(`print the completions for ${shells.join(', ')}`)
    .addArgument(program.createArgument('<shell>').choices(shells))
    .action(shell => choose(async () => completionScript(shell)))
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => choose(context => complete(program, words, context)))
  return program
}

/** Runs the service itself as a child that gets our signals. */
async function runService(
  words: readonly string[],
  { programs, settings, signal }: CliContext,
): Promise<number> {
  const child = spawn(programs.node, [...programs.nodeOptions, programs.service, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // `--home` is an option of every command, so it is not among the words.
    env: {
      ...process.env,
      ...(settings.home === undefined ? {} : { REFILE_HOME: settings.home }),
      ...programs.environment,
    },
  })
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? exitCode.failed
}

/** Below the help of `convert --from heic --to jpg`, or of a file: the options of that conversion. */
async function helpOfPair(words: readonly string[], context: CliContext): Promise<ExitCode> {
  const { source: named, target } = pairAmong(words)
  const source = named?.split('.').at(-1)
  if (words[0] !== 'convert' || target === undefined || source === undefined) return exitCode.done
  const rows = await optionRows(source, target, context)
  const lines = rows.map(
    ([name = '', values, , what]) => `  ${name.padEnd(28)} ${values}${what ? `  ${what}` : ''}`,
  )
  print(`\nOptions of ${source} to ${target}, for --set:\n${lines.join('\n')}\n`)
  return exitCode.done
}
