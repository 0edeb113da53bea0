import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defaultHome } from '../../service/shared/settings/table.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCode } from '../exit-codes.ts'
import { Folders } from '../mcp/folders.ts'
import { createServer } from '../mcp/tools.ts'
import { say } from '../print.ts'

/** `refile mcp --allow FOLDER`: tools for agents, until the client closes standard input. */
export async function mcp({ allow }: { allow: string[] }, context: CliContext): Promise<ExitCode> {
  const { settings, signal } = context
  const folders = await Folders.open(allow, settings.home ?? defaultHome())
  const closed = Promise.withResolvers<void>()
  for (const event of ['end', 'close']) process.stdin.once(event, closed.resolve)
  signal.addEventListener('abort', () => closed.resolve())
  const ending = new AbortController()
  const serving = serveStdio(() => createServer(context.service, folders, ending.signal), {
    onerror: error => say(`refile: ${error.message}`),
  })
  await closed.promise
  ending.abort(new Error('The client has closed the connection.'))
  await serving.close()
  return exitCode.done
}
