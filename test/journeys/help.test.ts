import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { putCategory } from '../../src/knowledge/knowledge.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { openChromium } from '../chromium.ts'
import { makeArticle } from '../knowledge.ts'
import { needs } from '../needs.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let browser: Browser
let base: string

const chromium = needs('chromium')

const markdown = `
Open the *settings* of \`Acme\`, see [the guide](https://example.com).

## First steps

1. Open
2. Close

> **Note** this

### Deeper

| Field | Meaning |
|---|---|
| a | ${'long '.repeat(30)} |

## A program

\`\`\`sh
curl --header 'Content-Type: application/json' --data '{"subject": "Hello"}' https://example.com/api/v1/tickets
\`\`\`
`

before(async () => {
  if (chromium.skip) return
  server = await startServer({ delivers: false })
  base = `${new URL(server.url).origin}/help/acme`
  browser = await openChromium()
  const { db, acme } = server
  const category_id = await putCategory(db, acme.id, { path: ['Account'], locale: 'en', icon: '🔐' })
  await putCategory(db, acme.id, { path: ['Account', 'Passwords'], locale: 'en', description: 'Words' })
  const article = { slug: 'password', category_id, markdown, position: 1 }
  await makeArticle(db, acme, { ...article, title: 'Choose a password' })
  await makeArticle(db, acme, { ...article, title: 'Passwort wählen', locale: 'de' })
  await makeArticle(db, acme, { ...article, title: 'اختيار كلمة المرور', locale: 'ar' })
  await makeArticle(db, acme, { category_id, title: 'Next to it', slug: 'next', position: 2 })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

async function withPage(options: BrowserContextOptions, act: (page: Page) => Promise<void>): Promise<void> {
  await act(await browser.newPage(options))
}

const paths = [
  '/en',
  '/ar',
  '/en/articles',
  '/en/articles/password',
  '/ar/articles/password',
  '/de/articles/next',
  '/en/articles/password?voted=1',
  '/en/categories/account',
  '/en/search?q=password',
  '/en/search?q=nothingofthekind',
  '/en/nothing',
  '/../nobody',
]

test('without scripts, a visitor can search, read, vote and change the language', chromium, () =>
  withPage({ javaScriptEnabled: false, locale: 'en-GB' }, async page => {
    await page.goto(base)
    await page.getByRole('searchbox').fill('choose')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**/en/search?q=choose')
    await page.getByRole('main').getByRole('link', { name: 'Choose a password' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('Thanks for your feedback').waitFor()
    await page.locator('summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Passwort wählen', level: 1 }).waitFor()
    const [row] = await server.db`select sum(helpful_count)::int as count from article_counts`
    assert.equal(row!.count, 1)
  }),
)

test('lets the keyboard skip to the content first', chromium, () =>
  withPage({}, async page => {
    await page.goto(`${base}/en`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
  }),
)

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  test(`no page has accessibility violations or is wider than ${width} px (${colorScheme})`, chromium, () =>
    withPage({ colorScheme, viewport: { width, height: 800 } }, async page => {
      for (const path of paths) {
        await page.goto(base + path)
        assert.deepEqual(await listAccessibilityViolations(page), [], path)
        assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), path)
      }
    }),
  )
}

test('the browser reports no error on any page', chromium, () =>
  withPage({}, async page => {
    const said: string[] = []
    page.on('console', message => said.push(message.text()))
    for (const path of paths.filter(path => !path.includes('no'))) await page.goto(base + path)
    assert.deepEqual(said, [])
  }),
)
