import { useMemo } from 'react'
import type { Catalogue } from '../../api/contract.ts'
import { categoryName, text } from '../../messages/text.ts'
import { useSession } from '../../session/session.ts'
import { isJoined } from '../state/choices.ts'
import classes from './SupportedFormats.module.css'

const order = ['images', 'documents', 'audio', 'video', 'ebooks', 'fonts', 'archives']

interface SupportedCategory {
  category: string
  conversions: number
  formats: string[]
}

function supportedBy(catalogue: Catalogue, missing: ReadonlySet<string>): SupportedCategory[] {
  const offered = catalogue.conversions.filter(each => !missing.has(each.job))
  const found = order.map(category => {
    const conversions = offered.filter(each => each.category === category)
    // A job type contains its source: `image.heic-to-jpg`.
    const sources = conversions.map(each => /\.(.+?)-to-/.exec(each.job)?.[1] ?? '')
    const isFormat = (source: string) =>
      source !== category && !isJoined(source) && !source.includes('statement')
    const plain = [...new Set(sources)].filter(isFormat)
    return {
      category,
      conversions: conversions.length,
      formats: plain.map(source => source.replace('-', '.').toUpperCase()),
    }
  })
  return found.filter(each => each.conversions > 0)
}

/** Overview of what this build converts: each category with its source formats. */
export function SupportedFormats() {
  const catalogue = useSession(state => state.catalogue)
  const missing = useSession(state => state.missing)
  const supported = useMemo(
    () => (catalogue ? supportedBy(catalogue, new Set(missing)) : []),
    [catalogue, missing],
  )
  if (supported.length === 0) return null
  return (
    <section className={classes.formatsByCategory} aria-label={text('convert.supportedFormats')}>
      {supported.map(({ category, conversions, formats }) => (
        <div key={category} className={classes.category} data-category={category}>
          <h2 className={classes.name}>{categoryName(category)}</h2>
          <p className={classes.formats}>{formats.join(' ')}</p>
          <p className={classes.count}>{text('convert.conversions', { value: conversions })}</p>
        </div>
      ))}
    </section>
  )
}
