import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, untilIn } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { typeKeys, untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { png } from '../upload.ts'

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** Pastes a picture into the focused field. */
const paste = (page: Page, bytes: Buffer): Promise<void> =>
  page.evaluate(`
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), one => one.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], 'bell.png', { type: 'image/png' }))
    void document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))`)

async function openArticle(markdown = 'Like this:'): Promise<{ page: Page; id: string }> {
  const { id } = (await olga.api.post('/knowledge/articles', { title: 'How to ring', markdown })).body
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/settings/knowledge/${id}`)
  await page.getByRole('heading', { name: 'How to ring', level: 1 }).waitFor()
  return { page, id }
}

const textOf = async (id: string): Promise<string> =>
  (await olga.api.get(`/knowledge/articles/${id}`)).body.translations[0].markdown

const isLoaded = (page: Page, selector: string): Promise<void> =>
  untilIn(page, `document.querySelector('${selector}')?.naturalWidth === 600`)

test(
  'a pasted picture and a table are in the text, in the preview, and readable in the help centre on a phone',
  chromium,
  async () => {
    const { page, id } = await openArticle()
    await (await untilFormatted(field(page))).focus()
    await page.keyboard.press('Control+End')
    await paste(page, png(600, 400))
    const dialog = page.getByRole('dialog', { name: 'Describe the picture' })
    await dialog.getByLabel('Description').fill('A bell')
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await isLoaded(page, '[contenteditable] img[alt="A bell"]')
    await isLoaded(page, 'section img[alt="A bell"]')
    await typeKeys(page, 'Enter')
    await page.getByRole('button', { name: 'Table', exact: true }).press('Enter')
    await field(page).locator('th').first().waitFor()
    await typeKeys(page, 'Size', 'Tab', 'Price', 'Tab', 'S')
    await press(page, 'Add column')
    await press(page, 'Delete row')
    await press(page, 'Add row')
    await field(page).locator('th').nth(1).click()
    await typeKeys(page, 'Colour')
    await page.getByRole('region', { name: 'Preview' }).getByRole('cell').first().waitFor()
    const preview = (await page.getByRole('region', { name: 'Preview' }).boundingBox())!
    assert.ok(preview.x > (await field(page).boundingBox())!.x + 200, 'the preview is beside the text')
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await press(page, 'Publish')
    await page.getByRole('button', { name: 'Publish changes' }).waitFor()
    assert.match(
      (await textOf(id))!,
      /^Like this:!\[A bell\]\(\/api\/media\/[\da-f-]{36}\)\n\n\| Size \| Colour \| Price \|\n\| --- \| --- \| --- \|\n(?:\| {2}\| {2}\| {2}\|\n?){2}$/,
    )
    const reader = await dashboard.open(null, { viewport: { width: 360, height: 740 }, isMobile: true })
    await reader.goto('/help/acme/en/articles/how-to-ring')
    const picture = reader.getByRole('img', { name: 'A bell' })
    await picture.scrollIntoViewIfNeeded()
    await isLoaded(reader, 'img[alt="A bell"]')
    const { width, height } = (await picture.boundingBox())!
    assert.ok(width < 360 && Math.abs(width / height - 1.5) < 0.02, `${width} × ${height}`)
    await reader.getByRole('region', { name: 'Table' }).getByRole('cell').first().waitFor()
    assert.deepEqual(await listAccessibilityViolations(reader), [])
  },
)

test('headings, lists and links of an article are written by keyboard', chromium, async () => {
  const { page, id } = await openArticle('')
  await untilFormatted(field(page))
  await page.getByRole('button', { name: 'Heading', exact: true }).focus()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Enter')
  await typeKeys(page, 'Before you ring', 'Enter', 'See ', 'Control+k')
  await page.getByRole('textbox', { name: 'Link address' }).waitFor()
  await typeKeys(page, '#bells', 'Tab', 'the bells', 'Enter', '.', 'Enter', '1. Ring <b>', 'Enter', 'Wait')
  await typeKeys(page, 'Control+s')
  await page.getByText('Saved', { exact: true }).first().waitFor()
  assert.equal(await textOf(id), '## Before you ring\n\nSee [the bells](#bells).\n\n1. Ring \\<b\\>\n2. Wait')
})

test('an article with HTML stays in Markdown and says why, until the HTML is gone', chromium, async () => {
  const html = '# Bells\n\n<details>\n<summary>More</summary>\nBig\n</details>'
  const { page, id } = await openArticle(html)
  const note = page.getByText('This text contains HTML (<details>)')
  await note.waitFor()
  assert.equal(await field(page).inputValue(), html)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await field(page).fill('# Bells\n\nsoft\nline **big**')
  await page.keyboard.press('Tab')
  await untilFormatted(field(page))
  await note.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).first().waitFor()
  assert.equal(await textOf(id), '# Bells\n\nsoft\nline **big**')
})

test('a new language is found by any of its names, and shown by its own', chromium, async () => {
  const { page, id } = await openArticle()
  await press(page, 'Add language')
  const dialog = page.getByRole('dialog', { name: 'Add language' })
  const search = dialog.getByLabel('Language', { exact: true }).first()
  for (const typed of ['brazilian', 'pt-br', 'portugues (bra']) {
    await search.fill(typed)
    await page.getByRole('option', { name: 'Português (Brasil)' }).waitFor()
  }
  await typeKeys(page, 'ArrowDown', 'Enter')
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const select = page.getByRole('combobox', { name: 'Language' })
  const chosen = select.locator('option:checked', { hasText: /^Português \(Brasil\)$/ })
  await chosen.waitFor({ state: 'attached' })
  const { translations } = (await olga.api.get(`/knowledge/articles/${id}`)).body
  assert.deepEqual(
    translations.map((one: { locale: string }) => one.locale),
    ['en', 'pt-BR'],
  )
})
