import type { Credits } from '../../service/app/types.ts'
import { categoryName, text } from '../messages/text.ts'
import { count } from '../ui/format.ts'
import classes from './CategoryBars.module.css'

interface Props {
  categories: Credits['byCategory']
}

export function CategoryBars({ categories }: Props) {
  const most = Math.max(1, ...categories.map(each => each.spent))
  const sorted = [...categories].sort((a, b) => b.spent - a.spent)
  return (
    <table className={`${classes.table} numbers`}>
      <thead className="hidden-text">
        <tr>
          <th scope="col">{text('credits.category')}</th>
          <th scope="col">{text('credits.spent')}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ category, spent }) => (
          <tr key={category} data-category={category}>
            <th scope="row">{categoryName(category)}</th>
            <td>
              <div className={classes.cell}>
                <div className={classes.track}>
                  <div className={classes.bar} style={{ width: `${(Math.max(0, spent) / most) * 100}%` }} />
                </div>
                <span className={classes.value}>{count(spent)}</span>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
