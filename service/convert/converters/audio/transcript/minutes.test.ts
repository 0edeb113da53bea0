import { expect, test } from 'vitest'
import { meeting, transcriptOf } from '../../../../test/transcript.ts'
import { minutes } from './minutes.ts'
import { tidy } from './transcript.ts'

const taken = minutes(tidy(meeting))

test('speakers are listed with their turns and shares', () => {
  expect(taken.speakers).toEqual([
    { name: 'Anna', seconds: 24, share: 0.4, turns: 4 },
    { name: 'Ben', seconds: expect.closeTo(18, 5), share: expect.closeTo(0.3, 5), turns: 3 },
    { name: 'Clara', seconds: expect.closeTo(18, 5), share: expect.closeTo(0.3, 5), turns: 2 },
  ])
  expect(taken.turns.map(({ speaker }) => speaker).join(' ')).toBe(
    'Anna Ben Anna Ben Anna Clara Ben Anna Clara',
  )
})

test('the summary picks original sentences, in order', () => {
  const said = meeting.segments.map(({ text }) => text).join(' ')
  expect(taken.summary.length).toBeGreaterThanOrEqual(3)
  for (const { text } of taken.summary) expect(said).toContain(text)
  expect(taken.summary.map(({ start }) => start)).toEqual(
    taken.summary.map(({ start }) => start).toSorted((a, b) => a - b),
  )
  expect(taken.summary.every(({ text }) => /website|budget|customer|launch|servers/.test(text))).toBe(true)
})

test('action items are duties with a date, not questions or remarks about the weather', () => {
  expect(taken.actions.map(({ text, speaker, due }) => [speaker, text, due])).toEqual([
    ['Ben', "I'll send the final design to the customer by Friday.", 'by Friday'],
    ['Anna', 'Can you write an offer for the second language?', undefined],
    ['Anna', 'Please call the customer before next week.', 'before next week'],
    ['Clara', 'We need to order the new servers tomorrow.', 'tomorrow'],
  ])
})

test.each([
  ['de', 'Ich werde das Angebot bis Freitag schicken. Das Wetter ist schön.', 'bis Freitag'],
  ['fr', "Nous devons envoyer l'offre avant vendredi. Il fait beau.", 'avant vendredi'],
  ['es', 'Tengo que enviar la oferta antes de viernes. Hace buen tiempo.', 'antes de viernes'],
])('they are found in %s', (language, text, due) => {
  const { actions } = minutes(tidy(transcriptOf([{ start: 3, end: 8, text }], { language })))
  expect(actions).toMatchObject([{ start: 3, due }])
})

test('everything is called automatic, and unsupported languages are named', () => {
  expect(taken.notice).toContain('automatically')
  const polish = minutes(
    tidy(transcriptOf([{ start: 0, end: 2, text: 'Dzień dobry wszystkim.' }], { language: 'pl' })),
  )
  expect(polish.notice).toContain('only')
  expect(polish).toMatchObject({ actions: [], summary: [] })
})

test('speech without punctuation is used segment by segment', () => {
  const segments = Array.from({ length: 20 }, (_, nth) => ({
    start: nth * 5,
    end: nth * 5 + 5,
    text: `we will order ${nth} new servers for the website before the launch of the product`,
  }))
  const { actions, summary } = minutes(tidy(transcriptOf(segments)))
  expect(actions.length).toBe(20)
  expect(actions[3]?.start).toBe(15)
  for (const { text } of summary) expect(text.length).toBeLessThan(200)
})
