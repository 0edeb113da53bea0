import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairOrder } from './fair-order.ts'

const task = (who: string, number = 0) => ({ who, number })

test('a caller with many tasks does not hold up one with few', () => {
  const turns = new FairOrder()
  const tasks = [task('a', 1), task('a', 2), task('a', 3), task('b', 4)]
  expect(turns.order(tasks).map(({ number }) => number)).toEqual([1, 4, 2, 3])
  turns.serve('a')
  expect(turns.order(tasks.slice(1)).map(({ number }) => number)).toEqual([4, 2, 3])
})

test('nobody waits while another is served twice', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }), names => {
      const turns = new FairOrder()
      let waiting = names.map(task)
      const served: string[] = []
      while (waiting.length > 0) {
        const [next] = turns.order(waiting)
        expect(turns.order(waiting)).toHaveLength(waiting.length)
        served.push(next!.who)
        turns.serve(next!.who)
        waiting = waiting.filter(other => other !== next)
      }
      for (const [at, who] of served.entries()) {
        const again = served.indexOf(who, at + 1)
        if (again === -1) continue
        const between = new Set(served.slice(at + 1, again))
        for (const other of new Set(served.slice(again))) {
          if (other !== who) expect(between).toContain(other)
        }
      }
    }),
  )
})
