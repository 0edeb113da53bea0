import type { TeamAccount } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { date } from '../ui/format.ts'
import { Entry } from '../ui/list/Entry.tsx'
import { EntryAction } from '../ui/list/EntryAction.tsx'

interface Props {
  account: TeamAccount
  /** The owner's own account cannot be closed. */
  isOwners: boolean
  onChange: () => void
  onLink: () => void
  onClose: () => void
}

export function AccountRow({ account, isOwners, onChange, onLink, onClose }: Props) {
  const { name, credits, spentThisMonth, running, open, created, closed, sessions } = account
  const facts = [
    text('common.credits', { value: credits }),
    text('accounts.spent', { credits: spentThisMonth }),
    text('accounts.limits', { running, open }),
    text('accounts.created', { when: date(created) }),
    ...(sessions > 0 ? [text('accounts.sessions', { sessions })] : []),
  ]
  return (
    <Entry
      name={name}
      badges={[closed !== null && text('accounts.closed')]}
      facts={facts}
      idle={closed !== null}
      actions={
        closed === null && (
          <>
            <EntryAction
              label={text('accounts.change')}
              named={text('accounts.changeNamed', { name })}
              onClick={onChange}
            />
            {!isOwners && (
              <>
                <EntryAction
                  label={text('accounts.link')}
                  named={text('accounts.linkNamed', { name })}
                  onClick={onLink}
                />
                <EntryAction
                  label={text('accounts.close')}
                  named={text('accounts.closeNamed', { name })}
                  danger
                  onClick={onClose}
                />
              </>
            )}
          </>
        )
      }
    />
  )
}
