import type { Values } from '../forms/schema.ts'

/** A word as a POSIX shell reads it back unchanged. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The command that does the same through the API; the key is the caller's own, in a variable of the shell. */
export function curlCommand(url: string, name: string, target: string, options: Values): string {
  const fields = [`file=@${name}`, `targetFormat=${target}`]
  if (Object.keys(options).length > 0) fields.push(`options=${JSON.stringify(options)}`)
  return [
    'curl -H "X-Service-Api-Key: $REFILE_KEY"',
    ...fields.map(field => `-F ${quoted(field)}`),
    quoted(`${url}/convert`),
  ].join(' ')
}
