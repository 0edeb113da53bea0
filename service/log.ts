import { type Logger, pino } from 'pino'
import { type Config, loadConfig } from './config.ts'

/** Structured log on stderr, one JSON object a line. Keys, cookies and tokens never reach it. */
export function createLog(overrides: Partial<Pick<Config, 'logLevel'>> = {}): Logger {
  return pino(
    {
      level: overrides.logLevel ?? loadConfig().logLevel,
      base: undefined,
      redact: {
        paths: ['req.headers', 'headers', '*.secret', '*.apiKey', '*.token', '*.cookie'],
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
