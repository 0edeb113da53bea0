import { escapeInvisible } from '../service/shared/names/names.ts'
import { print, printValue, say } from './print.ts'

/** How a command reports: results on stdout, everything else on stderr. */
export interface ReportSettings {
  json: boolean
  quiet: boolean
}

const BAR_WIDTH = 24
const ERASE_LINE = '\r\u001b[K'

/** Prints results and problems of many files, with one line of progress below them on a terminal. */
export class Report {
  readonly #settings: ReportSettings
  readonly #terminal: boolean
  readonly #colours: boolean
  readonly #percents = new Map<string, number>()
  #total = 0
  #ended = 0

  constructor(
    settings: ReportSettings,
    { isTTY = false }: { isTTY?: boolean } = process.stderr,
    environment = process.env,
  ) {
    this.#settings = settings
    this.#terminal = isTTY && !settings.quiet && !settings.json
    this.#colours = this.#terminal && !environment.NO_COLOR && environment.TERM !== 'dumb'
  }

  start(total: number): void {
    this.#total = total
  }

  progress(file: string, percent: number): void {
    this.#percents.set(file, percent)
    this.#draw()
  }

  /** One line on stdout: an object with `--json`, otherwise the paths. */
  result(file: string, lines: readonly string[], object: object): void {
    this.#end(file)
    const text = this.#settings.json ? JSON.stringify(object) : lines.join('\n')
    this.#above(() => text && print(`${text}\n`))
  }

  /** A failed file: one object on stdout with `--json`, and a line on stderr. */
  failure(file: string, reason: string, object: object): void {
    this.#end(file)
    this.#above(() => {
      if (this.#settings.json) printValue(object)
      if (!this.#settings.quiet)
        process.stderr.write(`${this.#paint(31, escapeInvisible(file))}: ${escapeInvisible(reason)}\n`)
    })
  }

  note(text: string): void {
    if (!this.#settings.quiet) this.#above(() => say(text))
  }

  /** Removes the line of progress. */
  finish(): void {
    if (this.#terminal) process.stderr.write(ERASE_LINE)
  }

  #end(file: string): void {
    this.#percents.delete(file)
    this.#ended++
  }

  #above(print: () => unknown): void {
    if (this.#terminal) process.stderr.write(ERASE_LINE)
    print()
    this.#draw()
  }

  #draw(): void {
    if (!this.#terminal || this.#total === 0 || this.#ended >= this.#total) return
    const running = [...this.#percents.values()].reduce((sum, percent) => sum + percent, 0) / 100
    const done = (this.#ended + running) / this.#total
    const full = Math.round(done * BAR_WIDTH)
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`
    const count = this.#total > 1 ? ` ${this.#ended} of ${this.#total}` : ''
    process.stderr.write(`${ERASE_LINE}${this.#paint(36, bar)} ${Math.floor(done * 100)} %${count}`)
  }

  #paint(colour: number, text: string): string {
    return this.#colours ? `\u001b[${colour}m${text}\u001b[0m` : text
  }
}
