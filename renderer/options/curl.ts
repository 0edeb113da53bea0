/** Commands that request the same conversion from this service, for use in scripts. */
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

/** Quotes a word for POSIX shells: in single quotes, with single quotes themselves outside. */
export const posixWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Quotes a word for PowerShell: in single quotes, with single quotes themselves doubled, including curly ones. */
export const powerShellWord = (word: string): string => `'${word.replaceAll(/['‘’‚‛]/g, '$&$&')}'`

/** Quotes a path for a curl form: in double quotes, with quotes and backslashes escaped by a backslash. */
const formPath = (path: string): string => `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const hasOptions = ({ options }: Conversion) => Object.keys(options).length > 0

/** The form fields by name; the file comes first, as its own field. */
const fieldsOf = (conversion: Conversion): string[] => [
  `targetFormat=${conversion.target}`,
  ...(hasOptions(conversion) ? [`options=${JSON.stringify(conversion.options)}`] : []),
]

/** How shells run curl; the person's own key is in a variable of the shell, and never shown. */
const shells = {
  /** sh, bash and zsh. */
  posix: { curl: 'curl', key: '$REFILE_KEY', word: posixWord, newLine: ' \\\n  ' },
  /** PowerShell 7.3 or newer, with the curl that comes with Windows. */
  powerShell: { curl: 'curl.exe', key: '$env:REFILE_KEY', word: powerShellWord, newLine: ' `\n  ' },
}

/** The command for the usual shell of this system. */
export function commandFor(system: string, conversion: Conversion): string {
  const { curl, key, word, newLine } = shells[/Windows/.test(system) ? 'powerShell' : 'posix']
  return [
    `${curl} ${word(`${conversion.url}/convert`)}`,
    `-H "X-Service-Api-Key: ${key}"`,
    `-F ${word(`file=@${formPath(conversion.file)}`)}`,
    ...fieldsOf(conversion).map(field => `--form-string ${word(field)}`),
  ].join(newLine)
}
