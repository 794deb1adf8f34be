import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIn, fillPlaceholders, type Plural } from '../../core/text/texts.ts'
import { en } from './en.ts'
import { dateIn, languages, nameOfLanguage, wordingOf } from './texts.ts'

const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

const plurals = ['articles', 'results'] as const

for (const [locale, texts] of Object.entries(languages)) {
  test(`${locale} has every text, with the same placeholders as English`, () => {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(en).sort())
    for (const [name, text] of Object.entries(texts)) {
      if (typeof text !== 'string') continue
      assert.ok(text.trim(), name)
      assert.deepEqual(placesOf(text), placesOf(en[name as 'search']), name)
    }
  })

  test(`${locale} has exactly the plural forms of its language`, () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    for (const name of plurals) assert.deepEqual(Object.keys(texts[name]).sort(), [...forms].sort(), name)
  })
}

test('every file of texts is registered as a language', async () => {
  const { readdirSync } = await import('node:fs')
  const files = readdirSync(import.meta.dirname).filter(name => /^[a-z]{2}\.ts$/.test(name))
  assert.deepEqual(files.map(name => name.slice(0, 2)).sort(), Object.keys(languages).sort())
})

test('a number selects the plural form of its language', () => {
  const count = (locale: string, number: number) =>
    countIn(wordingOf(locale), languages[locale]!.articles as Plural, number)
  assert.deepEqual(
    [1, 2, 5, 21].map(number => count('ru', number)),
    ['1 статья', '2 статьи', '5 статей', '21 статья'],
  )
  assert.equal(count('ar', 2), 'مقالتان')
  assert.equal(count('ja', 1234), '1,234 件の記事')
})

test('a region uses the texts of its language, and an unknown language those of English', () => {
  assert.deepEqual(wordingOf('pt-BR').texts, languages.pt)
  assert.equal(wordingOf('pt-BR').locale, 'pt-BR')
  assert.deepEqual([wordingOf('sv').locale, wordingOf('sv').texts], ['en', en])
})

test('Arabic and Hebrew are written from right to left', () => {
  const directions = ['ar', 'he', 'de', 'ja'].map(locale => wordingOf(locale).direction)
  assert.deepEqual(directions, ['rtl', 'rtl', 'ltr', 'ltr'])
})

test('a value that looks like a placeholder is not replaced again', () => {
  assert.equal(fillPlaceholders('{page} of {pages}', { page: '{pages}', pages: '3' }), '{pages} of 3')
  assert.equal(fillPlaceholders('{query}', { query: '$& $1' }), '$& $1')
})

test('dates and language names are localized', () => {
  assert.equal(dateIn(wordingOf('de'), '2026-03-04T23:59:59.000000'), '4. März 2026')
  assert.deepEqual(['de', 'fr', 'ja'].map(nameOfLanguage), ['Deutsch', 'Français', '日本語'])
})

test("dates are in UTC, whatever the server's time zone", context => {
  const { TZ } = process.env
  context.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
    process.env.TZ = zone
    for (const time of ['2026-01-15T00:30:00.123456', '2026-01-15T23:30:00.123456'])
      assert.equal(dateIn(wordingOf('en'), time), 'January 15, 2026', zone)
  }
})
