import type { AdministeredAccount, Administration } from '../accounts/administration.ts'
import { SettingError } from '../shared/config.ts'
import { askRunning, signIn } from './running.ts'

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
  const session = await signIn(running.pageUrl)
  const ask = async <Answer>(
    method: string,
    path: string,
    refusals: Record<number, string>,
    body?: object,
  ) => {
    const reply = await fetch(`${running.url}/app/accounts${path}`, {
      method,
      headers: { ...session, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    const answer = (await reply.json()) as Answer & { detail?: string }
    if (!reply.ok)
      throw new SettingError(
        refusals[reply.status] ?? answer.detail ?? `The service answered ${reply.status}.`,
      )
    return answer
  }
  const at = (name: string) => `/${encodeURIComponent(name)}`
  const unknown = (name: string) => ({ 404: `There is no open account ${name}.` })
  return {
    list: () => ask<AdministeredAccount[]>('GET', '', {}),
    create: async (name, { limits, credits }) => {
      const refusals = { 400: `There is an account ${name} already.` }
      const { key, ...account } = await ask<AdministeredAccount & { key: string }>('POST', '', refusals, {
        ...{ name, credits },
        ...limits,
      })
      return { account, key }
    },
    change: (name, { limits, credits }) => ask('PATCH', at(name), unknown(name), { ...limits, credits }),
    close: name =>
      ask('DELETE', at(name), { ...unknown(name), 400: "The owner's account cannot be closed." }),
    link: async name => {
      const refusals = {
        ...unknown(name),
        400: "The owner's account is opened with --open, not with a link.",
      }
      return (await ask<{ url: string }>('POST', `${at(name)}/sign-in`, refusals)).url
    },
  }
}
