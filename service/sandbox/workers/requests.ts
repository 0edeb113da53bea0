import type { TaskInput } from '../../convert/catalogue/task.ts'

/** The paths in worker requests: files to read and folders to write to. */
export interface Paths {
  path?: string
  input?: TaskInput
  result?: TaskInput
  folder?: string
  shown?: string
}

const given = (paths: readonly (string | undefined)[]) => paths.filter(path => path !== undefined)

export const inputsIn = ({ path, input, result }: Paths): string[] => [
  ...new Set(given([path, input?.path, result?.path])),
]

export const foldersIn = ({ folder, shown }: Paths): string[] => given([folder, shown])

/** The request with its paths replaced. */
export function withPaths<Request extends Paths>(
  request: Request,
  paths: ReadonlyMap<string, string>,
): Request {
  const { path, input, result, folder, shown } = request
  const now = (name: string) => paths.get(name) ?? name
  return {
    ...request,
    ...(path === undefined ? {} : { path: now(path) }),
    ...(input && { input: { ...input, path: now(input.path) } }),
    ...(result && { result: { ...result, path: now(result.path) } }),
    ...(folder === undefined ? {} : { folder: now(folder) }),
    ...(shown === undefined ? {} : { shown: now(shown) }),
  }
}
