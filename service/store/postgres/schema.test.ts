import { expect, test } from 'vitest'
import { migrations, USABLE_FROM } from './database.ts'

test('hosts can be of the version before, since the schema is only added to', () => {
  const narrowing =
    /\b(DROP(?! TRIGGER)|RENAME|TRUNCATE(?! ON))\b|\bALTER COLUMN\b|\bSET NOT NULL\b|ADD COLUMN(?=[^;]*NOT NULL)(?![^;]*DEFAULT)/i
  expect(migrations.slice(USABLE_FROM).filter(migration => narrowing.test(migration))).toEqual([])
  expect('ALTER TABLE jobs ADD COLUMN later TEXT NOT NULL;').toMatch(narrowing)
})
