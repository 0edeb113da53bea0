import { type Role, readPort, readRole, SettingError } from '../shared/config.ts'
import { OPTIONS } from './usage.ts'

/** The options of the command line. */
export interface Arguments {
  port?: number
  home?: string
  role?: Role
  printKey: boolean
  open: boolean
}

/**
 * Parses the command line; a value may follow its flag or come after `=`.
 * @throws SettingError for an unknown flag, a missing value, or an invalid one
 */
export function readArguments(args: readonly string[]): Arguments {
  const found: Arguments = { printKey: false, open: false }
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [flag = '', ...after] = word.split('=')
    const given = after.length > 0 ? after.join('=') : undefined
    const value = () => {
      const text = given ?? rest.shift()
      if (text === undefined || text === '') throw new SettingError(`${flag} takes a value.`)
      return text
    }
    if (flag === '--port') found.port = readPort(flag, value())
    else if (flag === '--home') found.home = value()
    else if (flag === '--role') found.role = readRole(flag, value())
    else if (given !== undefined) throw unknown(word)
    else if (flag === '--print-key') found.printKey = true
    else if (flag === '--open') found.open = true
    else throw unknown(word)
  }
  return found
}

const unknown = (word: string) => new SettingError(`"${word}" is not known here: there are ${OPTIONS}.`)
