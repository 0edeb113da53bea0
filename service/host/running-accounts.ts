import { RefileError } from '../../sdk/src/errors.ts'
import type { AdministeredAccount, Administration } from '../accounts/administration.ts'
import { SettingError } from '../shared/config.ts'
import { OwnerClient } from './owner.ts'
import { askRunning } from './running.ts'

/** What the command `account` does with the accounts of a service. */
export interface ManagedAccounts extends Pick<Administration, 'list' | 'create' | 'change' | 'close'> {
  /** A link that signs a browser in to an account. */
  link(name: string): Promise<string>
}

/**
 * The accounts of the service that is running with a data folder, which has the store to itself: by the routes of its owner.
 * @returns undefined if none answers
 */
export async function runningAccounts(home: string): Promise<ManagedAccounts | undefined> {
  const running = await askRunning(home)
  if (!running) return undefined
  const client = new OwnerClient({ url: running.url, openUrl: async () => running.pageUrl })
  const owner = <Answer>(method: string, path: string, refusals: Record<number, string>, body?: object) =>
    client.ask<Answer>(`/app/accounts${path}`, { method, body }).catch(error => {
      throw error instanceof RefileError ? new SettingError(refusals[error.status] ?? error.message) : error
    })
  const at = (name: string) => `/${encodeURIComponent(name)}`
  const unknown = (name: string) => ({ 404: `There is no open account ${name}.` })
  return {
    list: () => owner<AdministeredAccount[]>('GET', '', {}),
    create: async (name, { limits, credits }) => {
      const refusals = { 400: `There is an account ${name} already.` }
      const { key, ...account } = await owner<AdministeredAccount & { key: string }>('POST', '', refusals, {
        ...{ name, credits },
        ...limits,
      })
      return { account, key }
    },
    change: (name, { limits, credits }) => owner('PATCH', at(name), unknown(name), { ...limits, credits }),
    close: name =>
      owner('DELETE', at(name), { ...unknown(name), 400: "The owner's account cannot be closed." }),
    link: async name => {
      const refusals = {
        ...unknown(name),
        400: "The owner's account is opened with --open, not with a link.",
      }
      return (await owner<{ url: string }>('POST', `${at(name)}/sign-in`, refusals)).url
    },
  }
}
