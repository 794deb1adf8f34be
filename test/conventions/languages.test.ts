import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { readSources } from './sources.ts'

/** Each folder of texts of the server has a file for each language, with the texts and the placeholders of the English one. */

const folders = readSources('src/**/texts/**/en.ts').map(({ path }) => dirname(path))

const placeholdersOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

/** The placeholders of each text by its name; those of a plural once, because languages have different forms. */
function listPlaceholders(texts: object, name = ''): Record<string, string[]> {
  const parts = Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, string[]][] => {
    const inner = `${name}.${key}`
    if (typeof value === 'string') return [[inner, placeholdersOf(value)]]
    const plural = (value as { other?: unknown }).other
    const isPlural = typeof plural === 'string' && plural.includes('{count}')
    return isPlural
      ? [[inner, placeholdersOf(plural)]]
      : Object.entries(listPlaceholders(value as object, inner))
  })
  return Object.fromEntries(parts)
}

async function loadTexts(folder: string, file: string): Promise<object> {
  const [texts, ...others] = Object.values(await import(join(root, folder, file)))
  assert.ok(typeof texts === 'object' && texts !== null && others.length === 0, `${folder}/${file}`)
  return texts
}

for (const folder of folders) {
  const files = readdirSync(join(root, folder)).filter(name => /^[a-z]{2}\.ts$/.test(name))

  test(`every language in ${folder} has the texts and the placeholders of English`, async () => {
    const english = listPlaceholders(await loadTexts(folder, 'en.ts'))
    for (const file of files) assert.deepEqual(listPlaceholders(await loadTexts(folder, file)), english, file)
  })

  test(`every language in ${folder} is in its list`, () => {
    const list = readFileSync(join(root, folder, 'texts.ts'), 'utf8')
    const [, listed = ''] = /languages[^=]*= \{([^;]*?)\n?\}\n/.exec(list) ?? []
    const names = listed.match(/\b[a-z]{2}\b/g) ?? []
    assert.deepEqual(names.sort(), files.map(file => basename(file, '.ts')).sort())
  })
}

test('emails, receipts and the help centre have folders of texts', () => {
  assert.deepEqual(folders, [
    'src/billing/texts',
    'src/billing/texts/receipts',
    'src/channels/custom/notices/texts',
    'src/channels/email/automatic/texts',
    'src/channels/email/mailboxes/texts',
    'src/channels/email/notices/texts',
    'src/channels/telegram/notices/texts',
    'src/channels/telegram/texts',
    'src/contacts/texts',
    'src/help/texts',
    'src/mail/compose/texts',
    'src/notifications/texts',
    'src/operators/texts',
  ])
})
