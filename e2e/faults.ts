import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { type App, expect } from './app.ts'

/** Violated accessibility rules, and where. */
export async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
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
  // Colours still in transition from the other scheme would be judged by their momentary value.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const moving = () =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations === 1)
      .length
  await expect.poll(() => page.evaluate(moving)).toBe(0)
  const violations = await violationsOf(new AxeBuilder({ page }))
  const overflow = await sidewaysOf(page)
  return [...violations, ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : [])]
}
