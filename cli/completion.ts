import type { Command } from 'commander'
import { loadCatalogue } from './catalogue.ts'
import type { CliContext } from './context.ts'
import { exitCode } from './exit-codes.ts'

/** Each script asks `refile __complete` with the words so far, the one under the cursor last. */
const scripts = {
  bash: `_refile() {
  local IFS=$'\\n'
  COMPREPLY=($(refile __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _refile refile
`,
  zsh: `#compdef refile
_refile() {
  local -a found
  found=("\${(@f)$(refile __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _refile refile
`,
  fish: `function __refile_complete
  set -l found (refile __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test -n "$found"; string join \\n -- $found; else; __fish_complete_path (commandline -ct); end
end
complete -c refile -f -a '(__refile_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName refile -ScriptBlock {
  param($word, $ast, $position)
  $words = $ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" }
  if ($word -eq '') { $words += '' }
  refile __complete -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
}

export const shells = Object.keys(scripts)

/** `refile completion SHELL` */
export function completionScript(shell: keyof typeof scripts): number {
  process.stdout.write(scripts[shell])
  return exitCode.done
}

/** `refile __complete -- WORD…`: prints what the last word may become; nothing where it is a file's name. */
export async function complete(
  program: Command,
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)]
  const found = await candidates(program, words, before, context)
  process.stdout.write(
    found
      .filter(word => word.startsWith(last))
      .map(word => `${word}\n`)
      .join(''),
  )
  return exitCode.done
}

async function candidates(
  program: Command,
  words: readonly string[],
  before: string,
  context: CliContext,
): Promise<string[]> {
  const name = words.length > 1 ? words[0] : undefined
  const command = program.commands.find(command => command.name() === name)
  if (!command) return program.commands.map(command => command.name()).filter(word => !word.startsWith('__'))
  if (command.commands.length > 0 && words.length === 2) return command.commands.map(inner => inner.name())
  const places: Record<string, number> = { formats: 2, options: 3, estimate: 3 }
  const asksTarget = ['--to', '-t'].includes(before)
  const asksFormat = ['--from', '-f'].includes(before) || words.length <= (places[name ?? ''] ?? 0)
  if (!asksTarget && !asksFormat) {
    const flags = command.options.map(option => option.long ?? '')
    return words.at(-1)?.startsWith('-') ? flags : []
  }
  const catalogue = await loadCatalogue(await context.service(), context.signal)
  const sources = Object.keys(catalogue.all.sourceFormatTo)
  if (asksTarget || words.length === 3) {
    const source = asksTarget ? pairAmong(words).source : words[1]
    const edges =
      source === undefined ? Object.values(catalogue.all.sourceFormatTo).flat() : catalogue.edgesOf(source)
    return [...new Set(edges.map(({ targetFormat }) => targetFormat))]
  }
  return sources
}

/** What the words of a conversion name: the format or the file of its source, and its target. */
export function pairAmong(words: readonly string[]): {
  source?: string | undefined
  target?: string | undefined
} {
  const after = (...flags: string[]) => {
    const at = words.findIndex(word => flags.includes(word))
    return at < 0 ? undefined : words[at + 1]
  }
  const target = after('--to', '-t')
  const file = words.slice(1).find(word => !word.startsWith('-') && word !== target && word.includes('.'))
  return { source: after('--from', '-f') ?? file, target }
}
