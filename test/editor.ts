import type { Locator, Page } from 'playwright-core'

interface Field {
  value?: string
  innerText: string
}

/** The text in a field: the value of a text field, or what an editor with formatting shows. */
export const wordsIn = (field: Locator): Promise<string> =>
  field.evaluate<string, Field>(({ value, innerText }) => value ?? innerText.trim())

/** The field with formatting. Until its code is loaded, a text field is shown. */
export async function untilFormatted(field: Locator): Promise<Locator> {
  await field.and(field.page().locator('[contenteditable]')).waitFor()
  return field
}

/** Presses keys, and types everything that is longer than one key. */
export async function typeKeys(page: Page, ...all: string[]): Promise<void> {
  for (const one of all)
    if (/^(?:\w+\+)*(?:Enter|Tab|Escape|Backspace|Arrow\w+|End|Home)$|^Control\+/.test(one))
      await page.keyboard.press(one)
    else await page.keyboard.type(one)
}

/** What `writeFormatted` writes. */
export const formatted = `Hello **Ann**, see [our guide](https://help.example/guide).

- one
- two

> Quoted

| Size | Price |
| --- | --- |
| S | 9 |
| M | 12 |`

/** Writes every kind of formatting with the keyboard and the menu. */
export async function writeFormatted(field: Locator): Promise<void> {
  const page = field.page()
  await (await untilFormatted(field)).focus()
  await typeKeys(page, 'Hello ', 'Control+b', 'Ann', 'Control+b', ', see ', 'Control+k')
  await page.getByRole('textbox', { name: 'Link address' }).waitFor()
  await typeKeys(page, 'help.example/guide', 'Tab', 'our guide', 'Enter', '.', 'Enter')
  await typeKeys(page, '- one', 'Enter', 'two', 'Enter', 'Enter', '> Quoted', 'Enter', 'Enter')
  await page.getByRole('button', { name: 'More formatting' }).last().press('Enter')
  // The menu first puts the focus on its first item.
  await page.locator('[role=menu]:focus-within').waitFor()
  await page.getByRole('menuitem', { name: 'Table' }).press('Enter')
  await field.locator('th').first().waitFor()
  await typeKeys(page, 'Size', 'Tab', 'Price', 'Tab', 'S', 'Tab', '9', 'Tab', 'M', 'Tab', '12')
}

/** Pastes HTML, as from a page of a website. */
export async function pasteHtml(field: Locator, html: string): Promise<void> {
  await field.focus()
  await field.page().evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    clipboardData.setData('text/plain', 'plain')
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)
}
