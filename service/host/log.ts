import { type Logger, pino } from 'pino'
import { type Config, loadConfig } from '../shared/config.ts'

/**
 * Structured log, one JSON object per line. Keys, cookies and tokens are never logged.
 * @param destination path of a file to append to, or a file descriptor; stderr by default
 */
export function createLog(
  overrides: Partial<Pick<Config, 'logLevel'>> = {},
  destination: string | number = 2,
): Logger {
  return pino(
    {
      level: overrides.logLevel ?? loadConfig().logLevel,
      base: undefined,
      redact: {
        paths: ['req.headers', 'headers', '*.secret', '*.apiKey', '*.token', '*.cookie'],
        censor: '[hidden]',
      },
    },
    pino.destination({ dest: destination, sync: false }),
  )
}
