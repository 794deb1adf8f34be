import type { Locator, Page } from 'playwright-core'
import { pressItem } from '../browser.ts'

/** A dialog, a menu or a popover of the dashboard. */
export interface Overlay {
  /** The file that opens it, under web/dashboard. */
  file: string
  /** The page, with parameters as in test/pages.ts. */
  path: string
  /** What a person does on the page to open it. */
  steps: Step[]
  find(page: Page): Locator
  /** Only narrow screens have it. */
  isNarrow?: boolean
}

export type Step = (page: Page) => Promise<unknown>
type Name = string | RegExp

export const press =
  (...keys: string[]): Step =>
  async page => {
    for (const key of keys) await page.keyboard.press(key)
  }

const enter = (target: Locator): Promise<unknown> => target.first().press('Enter')

export const button =
  (name: Name): Step =>
  page =>
    enter(page.getByRole('button', { name, exact: typeof name === 'string' }))

/** An item may also show its keys. */
export const item =
  (name: string): Step =>
  page =>
    pressItem(page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).first())

export const link =
  (name: string): Step =>
  page =>
    enter(page.getByRole('link', { name }))

export const option =
  (name: string): Step =>
  page =>
    page.getByRole('option', { name }).first().click()

export const dialog = (name?: Name) => (page: Page) => page.getByRole('dialog', name ? { name } : {}).last()
export const menu = (page: Page) => page.getByRole('menu').last()

/** Overlays of a page, which is ready once `ready` is shown. */
export const on =
  (path: string, ready: (page: Page) => Locator) =>
  (file: string, find: Overlay['find'], ...steps: Step[]): Overlay => ({
    file,
    path,
    find,
    steps: [page => ready(page).first().waitFor(), ...steps],
  })
