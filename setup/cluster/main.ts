/**
 * Runs a cluster on this machine: `--hosts N`, `--port N`, `--main SCRIPT`. When it is ready it prints how to use it on stderr
 * and, if stdout is not a terminal, one line of JSON on stdout. SIGINT and SIGTERM stop all of it.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPort, readWhole } from '../../service/shared/config.ts'
import { printInfo, root } from '../root.mjs'
import { type Cluster, startCluster } from './cluster.ts'

const MAX_HOSTS = 16

const stopping = new AbortController()
const stop = () => stopping.abort()
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop).on('disconnect', stop)
// The channel only shows whether the parent process is gone; it must not keep this process alive.
process.channel?.unref()

function announce({ url, pageUrl, apiKey, hosts, database, storage }: Cluster): void {
  const each = [...hosts].toSorted(([a], [b]) => a - b)
  printInfo(
    [
      `${hosts.size} hosts, one service:`,
      `  app       ${pageUrl}   (opens once, within five minutes)`,
      `  API       ${url}   key ${apiKey}`,
      ...each.map(([number, line]) => `  host ${number + 1}    ${line.url}   process ${line.pid}`),
      `  database  ${database}`,
      `  storage   ${storage}`,
      'Ctrl-C ends all of it and leaves nothing behind.',
    ].join('\n'),
  )
  if (process.stdout.isTTY) return
  const line = {
    url,
    apiKey,
    pageUrl,
    hosts: each.map(([, host]) => ({ url: host.url, pid: host.pid })),
    database,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  const { values } = parseArgs({
    options: {
      hosts: { type: 'string', default: '3' },
      port: { type: 'string', default: '7421' },
      main: { type: 'string', default: join(root, 'dist', 'service', 'main.js') },
    },
  })
  await using cluster = await startCluster({
    count: readWhole('--hosts', values.hosts, 1, MAX_HOSTS),
    port: readPort('--port', values.port),
    main: values.main,
    signal: stopping.signal,
  })
  announce(cluster)
  if (!stopping.signal.aborted) {
    await new Promise(resolve => stopping.signal.addEventListener('abort', resolve))
  }
} catch (error) {
  if (!stopping.signal.aborted) {
    printInfo(`The cluster could not start: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
