import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import type { Reported } from './harness.ts'

const docs = join(import.meta.dirname, '..', 'docs')
/** Rows of the table in the README. */
const README_ROWS = 10

/** Programs that are compared with, and how each prints its version. */
const rivals: readonly (readonly [program: string, ...args: string[]])[] = [
  ['cwebp', '-version'],
  ['avifenc', '--version'],
  ['soffice', '--version'],
  ['ffmpeg', '-version'],
  ['lame', '--version'],
  ['flac', '--version'],
  ['tesseract', '--version'],
  ['pandoc', '--version'],
  ['bsdtar', '--version'],
  ['ebook-convert', '--version'],
]

/**
 * Writes docs/performance.md but for what is measured by hand, and a few rows of it into the README, from what benchmarks reported.
 * @param folder has a file for each benchmark, with a line of JSON for each report
 */
export function writeReport(folder: string, names: readonly string[]): void {
  const reports = names.flatMap(name => {
    const path = join(folder, name)
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    return [{ name, reported: lines.map(line => JSON.parse(line) as Reported) }]
  })
  const tables = reports.map(
    ({ name, reported }) =>
      `## ${name}\n\n| what | figure | goal | |\n| --- | --: | --- | --- |\n${reported.map(rowOf).join('\n')}\n`,
  )
  const [byHand = ''] = readFileSync(join(docs, 'performance.md'), 'utf8').match(/\n## Missed\b.*/s) ?? []
  writeFileSync(join(docs, 'performance.md'), `${head()}\n${tables.join('\n')}${byHand}`)
  const ratios = reports.flatMap(({ reported }) => ratiosOf(reported))
  // A few of each kind: they are spread evenly over all.
  const nth = (row: number) => Math.floor((row * README_ROWS) / ratios.length)
  const shown = ratios.filter((_, row) => nth(row) !== nth(row - 1))
  const readme = join(docs, '..', 'README.md')
  const rows = shown.map(({ subject, figure }) => `| ${escaped(subject)} | ${figure} |\n`)
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(/(?<=\n\| --- \| --: \|\n)(\|.*\n)+/, rows.join('')),
  )
}

/** The reports that compare with another program. */
const ratiosOf = (reported: readonly Reported[]): Reported[] =>
  reported.filter(({ subject, figure }) => subject.includes(' / ') && Number.isFinite(Number(figure)))

const escaped = (subject: string): string => subject.replaceAll('|', '\\|')

function rowOf({ subject, figure, goal, reached, cause }: Reported): string {
  const missed = cause ? `missed: ${cause}` : 'missed'
  return `| ${escaped(subject)} | ${figure} | ${goal} | ${reached ? '' : missed} |`
}

function head(): string {
  const { model } = cpus()[0] ?? { model: 'unknown' }
  const versions = rivals.flatMap(([program, ...args]) => {
    const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8' })
    const version = /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0]
    return status === 0 && version ? [`${program} ${version}`] : []
  })
  return `# Performance

What \`npm run bench -- --report\` measured on ${new Date().toISOString().slice(0, 10)}. A ratio is our time, or our bytes, divided by those of the
program that is named, in turns on the same machine; below 1 Refile is faster or smaller. Each figure is explained
in the benchmark of that name in [bench/](../bench).

Machine: ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}, Node ${process.versions.node}. Compared with: ${versions.join(', ')}.
`
}
