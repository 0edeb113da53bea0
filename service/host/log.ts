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

/** Codes of what goes wrong with one connection or stream; whoever used it sees that by its end. */
const OF_ONE_STREAM = /^(ERR_STREAM_|ERR_HTTP_|EPIPE$|ECONN|ETIMEDOUT$)/

/**
 * Logs every error that nothing caught, and ends no more than it has broken: a rejected promise, or a stream that nobody listened
 * to, costs the work that used it. Any other error may have left the process in any state, so `stop` is called, once.
 */
export function logUncaught(log: Pick<Logger, 'error' | 'fatal'>, stop: (error: unknown) => void): void {
  let isStopping = false
  process.on('unhandledRejection', err => log.error({ err }, 'a promise was rejected and nothing noticed'))
  process.on('uncaughtException', err => {
    if (OF_ONE_STREAM.test((err as NodeJS.ErrnoException | null)?.code ?? '')) {
      return log.error({ err }, 'a connection failed and nothing noticed')
    }
    log.fatal({ err }, 'an error that nothing caught')
    if (isStopping) return
    isStopping = true
    stop(err)
  })
}
