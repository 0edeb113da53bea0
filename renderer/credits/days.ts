import type { Credits } from '../../service/web/app/types.ts'

export type DayTotal = Credits['byDay'][number]

/** The local calendar day, as the service names it. */
const dayOf = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(part => String(part).padStart(2, '0')).join('-')

/** Every day of the period up to today, in order; the service only returns days with jobs. */
export function everyDay(byDay: readonly DayTotal[], days: number, today: Date): DayTotal[] {
  const known = new Map(byDay.map(each => [each.day, each]))
  return Array.from({ length: days }, (_, index) => {
    const ago = days - 1 - index
    const day = dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - ago))
    return known.get(day) ?? { day, spent: 0, jobs: 0 }
  })
}

/** The top of an axis: the next of 1, 2, 5 times a power of ten that is at least `value`, and divisible by two. */
export function axisTop(value: number): number {
  if (value <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 6, 8, 10].find(each => each * power >= value) ?? 10
  return step * power
}
