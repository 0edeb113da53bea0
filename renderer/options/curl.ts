/** Commands that ask this service for the same conversion, for people who go on in a script. */
import type { Values } from '../forms/schema.ts'

export interface Conversion {
  /** Address of the service, such as `http://127.0.0.1:7421`. */
  url: string
  /** Name or path of the file, as the person would write it. */
  file: string
  target: string
  /** Options that differ from the defaults. */
  options: Values
}

/** A word as POSIX shells read it: between single quotes, of which one itself stands outside them. */
export const posixWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A word as PowerShell reads it: between single quotes, of which one itself is doubled, curly ones too. */
export const powerShellWord = (word: string): string => `'${word.replaceAll(/['‘’‚‛]/g, '$&$&')}'`

/** Of a path in a form of curl, a quote and a backslash are written with a backslash, in quotes of its own. */
const formPath = (path: string): string => `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const hasOptions = ({ options }: Conversion) => Object.keys(options).length > 0

/** The fields of the form by their names; the file comes first, as its own. */
const fieldsOf = (conversion: Conversion): string[] => [
  `targetFormat=${conversion.target}`,
  ...(hasOptions(conversion) ? [`options=${JSON.stringify(conversion.options)}`] : []),
]

/** For sh, bash and zsh. */
export function curlCommand(conversion: Conversion): string {
  const lines = [
    `curl ${posixWord(`${conversion.url}/convert`)}`,
    // The key is the person's own, in a variable of the shell, and never shown.
    '-H "X-Service-Api-Key: $REFILE_KEY"',
    `-F ${posixWord(`file=@${formPath(conversion.file)}`)}`,
    ...fieldsOf(conversion).map(field => `--form-string ${posixWord(field)}`),
  ]
  return lines.join(' \\\n  ')
}

/** For PowerShell 7.3 or newer, with the curl that comes with Windows. */
export function powerShellCommand(conversion: Conversion): string {
  const lines = [
    `curl.exe ${powerShellWord(`${conversion.url}/convert`)}`,
    '-H "X-Service-Api-Key: $env:REFILE_KEY"',
    `-F ${powerShellWord(`file=@${formPath(conversion.file)}`)}`,
    ...fieldsOf(conversion).map(field => `--form-string ${powerShellWord(field)}`),
  ]
  return lines.join(' `\n  ')
}

/** The command for the shell that people of this system use. */
export const commandFor = (system: string, conversion: Conversion): string =>
  /Windows/.test(system) ? powerShellCommand(conversion) : curlCommand(conversion)
