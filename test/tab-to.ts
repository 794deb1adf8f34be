import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Presses Tab until the element has focus. */
export async function tabTo(
  scope: Page | Locator,
  name: string | RegExp,
  role: 'button' | 'checkbox' | 'combobox' | 'link' | 'radio' | 'separator' | 'switch' | 'textbox',
): Promise<void> {
  const page = 'page' in scope ? scope.page() : scope
  const target = scope.getByRole(role, { name })
  // Radio buttons are invisible behind their labels.
  await target.waitFor({ state: 'attached' })
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate(element => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${name}`)
}
