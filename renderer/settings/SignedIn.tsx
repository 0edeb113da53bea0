import { Button } from '@mantine/core'
import { create } from 'zustand'
import type { SignedIn as Browser } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import { moment } from '../ui/format.ts'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { listOf, type Reading, reading } from '../ui/reading.ts'
import { useAction } from '../ui/useAction.ts'
import classes from './Settings.module.css'

/** The browsers that are signed in. */
interface SignedInState extends Reading<readonly Browser[]> {
  end(id: string): Promise<void>
  /** Ends the session of this page. */
  signOut(): Promise<void>
}

const useSignedIn = create<SignedInState>()(set => ({
  ...reading<readonly Browser[]>(set, api.sessions),

  async end(id) {
    await api.endSession(id)
    listOf<Browser>(set).drop(id)
  },

  async signOut() {
    await api.signOut()
    useSession.setState({ status: 'signed-out' })
  },
}))

/** The browsers that are signed in to this account, each of which can be signed out. */
export function SignedIn() {
  const store = useSignedIn()
  const name = useSession(({ session }) => session?.account.name ?? '')
  const { busy, act } = useAction()
  return (
    <Panel
      title={text('settings.signedIn')}
      note={text('settings.signedInText', { name })}
      actions={
        <Button size="xs" variant="default" disabled={busy} onClick={() => void act(store.signOut)}>
          {text('settings.signOut')}
        </Button>
      }
    >
      <Loaded from={store}>
        {sessions => (
          <ul className="plain-list" aria-label={text('settings.signedIn')}>
            {sessions.map(({ id, lastUsedAt, isThis }) => (
              <li key={id} className={classes.engine}>
                <span className={classes.words}>
                  {isThis
                    ? text('settings.thisBrowser')
                    : text('settings.otherBrowser', { when: moment(lastUsedAt) })}
                </span>
                {!isThis && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    disabled={busy}
                    onClick={() => void act(() => store.end(id))}
                  >
                    {text('settings.signOutOther')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}
