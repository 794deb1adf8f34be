import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLocale } from './accept-language.ts'

const choose = (header: string | undefined, ...offered: string[]) => chooseLocale(header, offered, 'en')

test('chooses the most preferred language that is offered', () => {
  assert.equal(choose('fr, de;q=0.8, en;q=0.5', 'en', 'de'), 'de')
  assert.equal(choose('en;q=0.5, de;q=0.8', 'en', 'de'), 'de')
})

test('matches a region with its language, and a language with one of its regions', () => {
  assert.equal(choose('de-AT', 'en', 'de'), 'de')
  assert.equal(choose('pt', 'en', 'pt-BR'), 'pt-BR')
  assert.equal(choose('pt-PT', 'en', 'pt-BR'), 'pt-BR')
  assert.equal(choose('zh-Hant-TW', 'zh', 'zh-Hant'), 'zh-Hant')
})

test('uses the default language if no preference can be met', () => {
  for (const header of [undefined, '', '*', 'xx', ';;;,,,q=', 'de;q=0'])
    assert.equal(choose(header, 'en', 'de'), 'en')
})

test('ignores upper and lower case', () => {
  assert.equal(choose('PT-br', 'en', 'pt-BR'), 'pt-BR')
})
