import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { chart, type Ratio } from './chart.ts'
import type { Reported } from './harness.ts'

const docs = join(import.meta.dirname, '..', 'docs')
/** Rows of the picture in the README. */
const CHART_ROWS = 10

/** Programs that are compared with, and how each prints its version. */
const rivals: readonly (readonly [program: string, ...args: string[]])[] = [
  ['vips', '--version'],
  ['convert', '-version'],
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
 * Writes docs/performance.md, and the picture of it, from what benchmarks reported.
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
  writeFileSync(join(docs, 'performance.md'), `${head()}\n${tables.join('\n')}`)
  const ratios = reports.flatMap(({ reported }) => ratiosOf(reported))
  // A few of each kind: they are spread evenly over all.
  const nth = (row: number) => Math.floor((row * CHART_ROWS) / ratios.length)
  const shown = ratios.filter((_, row) => nth(row) !== nth(row - 1))
  writeFileSync(join(docs, 'images', 'performance.svg'), chart(shown))
}

/** The reports that compare with another program. */
const ratiosOf = (reported: readonly Reported[]): Ratio[] =>
  reported.flatMap(({ subject, figure }) => {
    const ratio = Number(figure)
    return subject.includes(' / ') && Number.isFinite(ratio) ? [{ subject, ratio }] : []
  })

function rowOf({ subject, figure, goal, reached, cause }: Reported): string {
  const missed = cause ? `missed: ${cause}` : 'missed'
  return `| ${subject.replaceAll('|', '\\|')} | ${figure} | ${goal} | ${reached ? '' : missed} |`
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
