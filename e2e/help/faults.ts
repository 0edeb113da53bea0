import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright/test'
import { isFull } from '../../testing/fixtures/full.ts'
import { type App, expect } from './app.ts'

/** In an ordinary run each colour scheme is tried in one width, in the full one in every width. */
export const looks: readonly (readonly [colorScheme: 'light' | 'dark', width: number])[] = [
  ['light', 900],
  ['dark', 1280],
  ...(isFull
    ? ([
        ['dark', 900],
        ['light', 1280],
        ['light', 1920],
        ['dark', 1920],
      ] as const)
    : []),
]

/** Waits until the page is laid out and painted, with what depends on its size. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Waits until no transition or animation that ends by itself is running. */
export async function settled(page: Page): Promise<void> {
  await painted(page)
  const moving = () =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations === 1)
      .length
  await expect.poll(() => page.evaluate(moving)).toBe(0)
}

const rules = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Violated accessibility rules, and where; colours in transition would be judged by their momentary value.
 * @param parts selectors of what is judged, or nothing for the whole page, which has no frames
 * @param except rules that are left out
 */
export async function violationsOf(
  page: Page,
  parts: readonly string[] = [],
  except: readonly string[] = [],
): Promise<string[]> {
  await settled(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(rules)
  const violations = await page.evaluate(
    async ({ parts, except }) => {
      const judge = (window as unknown as { axe: typeof axe }).axe
      const results = await judge.run(parts.length > 0 ? { include: [...parts] } : document, {
        rules: Object.fromEntries(except.map(rule => [rule, { enabled: false }])),
        // Describing all that is right takes most of the time.
        resultTypes: ['violations'],
      })
      return results.violations
    },
    { parts, except },
  )
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(node => node.target).join(', ')}`)
}

/** By how many pixels the page is wider than its container. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('[data-scroller]')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  )

/** What is wrong with the current page: violated accessibility rules, and horizontal scrolling. */
export async function faultsOf({ page }: App): Promise<string[]> {
  const violations = await violationsOf(page)
  const overflow = await sidewaysOf(page)
  return [...violations, ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : [])]
}
