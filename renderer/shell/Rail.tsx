import {
  IconCoins,
  IconFolderSymlink,
  IconHistory,
  IconPlugConnected,
  IconSettings,
} from '@tabler/icons-react'
import { showCommands } from '../actions/show-commands.ts'
import { batchList } from '../jobs/conversions.ts'
import { endedOf, isOpen } from '../jobs/known.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { count } from '../ui/format.ts'
import { hrefOf, type PageName, pages } from '../ui/route.ts'
import { keysText, shortcutProps } from '../ui/shortcuts.ts'
import classes from './Rail.module.css'

const icons: Record<PageName, typeof IconCoins> = {
  convert: IconFolderSymlink,
  history: IconHistory,
  credits: IconCoins,
  programs: IconPlugConnected,
  settings: IconSettings,
}

/** Number of unfinished files in open batches. */
const useOpenFiles = (): number =>
  useJobs(state =>
    batchList(state)
      .filter(isOpen)
      .reduce((sum, batch) => sum + batch.counts.total - endedOf(batch), 0),
  )

/** The page of programs is shown once there are any. */
function useShownPages(page: PageName): readonly PageName[] {
  const hasPrograms = useJobs(({ jobs }) => jobs.values().some(({ origin }) => origin === 'api'))
  return pages.filter(name => name !== 'programs' || page === name || hasPrograms)
}

/** The navigation: one link for each page. */
export function Rail({ page }: { page: PageName }) {
  const open = useOpenFiles()
  const shown = useShownPages(page)
  return (
    <section className={classes.rail} aria-label={text('app.name')}>
      <div className={classes.brand}>
        <img src="/icon.svg" alt="" width={34} height={34} />
        <span>{text('app.name')}</span>
      </div>
      <nav aria-label={text('app.navigation')}>
        <ul className={`${classes.links} plain-list`}>
          {shown.map(name => {
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
                  {name === 'convert' && page !== 'convert' && open > 0 && (
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
      <button
        type="button"
        className={classes.commands}
        {...shortcutProps(showCommands)}
        onClick={showCommands.do}
      >
        <showCommands.Icon size={18} stroke={1.7} aria-hidden="true" />
        <span className={classes.label}>{showCommands.name()}</span>
        <kbd className={classes.keys} data-verbatim>
          {keysText(showCommands.shortcut)}
        </kbd>
      </button>
    </section>
  )
}
