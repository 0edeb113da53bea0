import { Button } from '@mantine/core'
import type { TeamAccount } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Entry } from '../ui/Entry.tsx'
import { date } from '../ui/format.ts'

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
            <Button
              size="xs"
              variant="subtle"
              aria-label={text('accounts.changeNamed', { name })}
              onClick={onChange}
            >
              {text('accounts.change')}
            </Button>
            {!isOwners && (
              <>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={text('accounts.linkNamed', { name })}
                  onClick={onLink}
                >
                  {text('accounts.link')}
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  color="brick"
                  aria-label={text('accounts.closeNamed', { name })}
                  onClick={onClose}
                >
                  {text('accounts.close')}
                </Button>
              </>
            )}
          </>
        )
      }
    />
  )
}
