import {
  IconActivity,
  IconCoins,
  IconFolderSymlink,
  IconHistory,
  IconKey,
  IconSettings,
} from '@tabler/icons-react'
import { endedOf, isOpen, useBatches } from '../jobs/batches.ts'
import { isActive, useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { count } from '../ui/format.ts'
import { hrefOf, type PageName, pages } from '../ui/route.ts'
import classes from './Rail.module.css'
import { useSession } from './session.ts'

const icons: Record<PageName, typeof IconKey> = {
  convert: IconFolderSymlink,
  jobs: IconActivity,
  history: IconHistory,
  credits: IconCoins,
  keys: IconKey,
  settings: IconSettings,
}

/** Files that are not through: those of open batches, and jobs outside of them. */
function useOpenFiles(): number {
  const batches = useBatches(state => state.batches)
  const jobs = useJobs(state => state.jobs)
  const open = batches.filter(isOpen)
  const ids = new Set(open.map(batch => batch.id))
  let files = open.reduce((sum, batch) => sum + batch.counts.total - endedOf(batch), 0)
  for (const job of jobs.values()) if (isActive(job) && !ids.has(job.batchId ?? '')) files++
  return files
}

interface Props {
  page: PageName
}

/** The way around: one link for each page. */
export function Rail({ page }: Props) {
  const open = useOpenFiles()
  const balance = useSession(state => state.balance)
  return (
    <section className={classes.rail} aria-label={text('app.name')}>
      <div className={classes.brand}>
        <img src="/icon.svg" alt="" width={34} height={34} />
        <span>{text('app.name')}</span>
      </div>
      <nav aria-label={text('app.navigation')}>
        <ul className={classes.links}>
          {pages.map(name => {
            const Icon = icons[name]
            return (
              <li key={name}>
                <a
                  className={classes.link}
                  href={hrefOf(name)}
                  aria-current={name === page ? 'page' : undefined}
                >
                  <Icon size={21} stroke={1.7} aria-hidden="true" />
                  <span className={classes.label}>{text(`pages.${name}`)}</span>
                  {name === 'jobs' && open > 0 && (
                    <span className={`${classes.badge} numbers`} aria-hidden="true">
                      {count(open)}
                    </span>
                  )}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
      <a className={`${classes.balance} numbers`} href={hrefOf('credits')}>
        <span className="hidden-text">{text('app.balance')} </span>
        <span className={classes.amount}>{count(balance)}</span>{' '}
        <span className={classes.unit}>{text('pages.credits')}</span>
      </a>
    </section>
  )
}
