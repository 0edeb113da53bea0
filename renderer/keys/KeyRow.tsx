import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ApiKey } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import { ago, date } from '../ui/format.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './KeysView.module.css'

interface Props {
  apiKey: ApiKey
  onRevoke: () => void
}

export function KeyRow({ apiKey, onRevoke }: Props) {
  const now = useNow()
  const words = messages.keys
  const expired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= now
  const facts = [
    words.created(date(apiKey.createdAt)),
    apiKey.lastUsedAt ? words.used(ago(apiKey.lastUsedAt, now)) : words.neverUsed,
    apiKey.expiresAt ? words.expires(date(apiKey.expiresAt)) : words.neverExpires,
    apiKey.ipAllowlist.length > 0 ? words.addresses(apiKey.ipAllowlist.length) : words.anyAddress,
  ]
  return (
    <li className={classes.row} aria-label={apiKey.name} data-expired={expired || undefined}>
      <span className={classes.icon}>
        <IconKey size={20} stroke={1.7} aria-hidden="true" />
      </span>
      <div className={classes.words}>
        <p className={classes.name}>
          {apiKey.name}
          <code className={classes.prefix}>{apiKey.prefix}</code>
          {apiKey.guest && <span className={classes.badge}>{words.guest}</span>}
          {expired && <span className={classes.badge}>{words.expired}</span>}
        </p>
        <p className={classes.facts} title={apiKey.ipAllowlist.join(', ')}>
          {facts.join(' · ')}
        </p>
      </div>
      <Button
        size="xs"
        variant="subtle"
        color="brick"
        aria-label={words.revokeNamed(apiKey.name)}
        onClick={onRevoke}
      >
        {words.revoke}
      </Button>
    </li>
  )
}
