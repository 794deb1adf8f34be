import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLocale } from './accept-language.ts'

const choose = (header: string | undefined, ...offered: string[]) => chooseLocale(header, offered, 'en')

test('the dearest language that is offered is chosen', () => {
  assert.equal(choose('fr, de;q=0.8, en;q=0.5', 'en', 'de'), 'de')
  assert.equal(choose('en;q=0.5, de;q=0.8', 'en', 'de'), 'de')
})

test('a region finds its language, and a language one of its regions', () => {
  assert.equal(choose('de-AT', 'en', 'de'), 'de')
  assert.equal(choose('pt', 'en', 'pt-BR'), 'pt-BR')
  assert.equal(choose('pt-PT', 'en', 'pt-BR'), 'pt-BR')
  assert.equal(choose('zh-Hant-TW', 'zh', 'zh-Hant'), 'zh-Hant')
})

test('without a wish that can be met it is the usual one', () => {
  for (const header of [undefined, '', '*', 'xx', ';;;,,,q=', 'de;q=0'])
    assert.equal(choose(header, 'en', 'de'), 'en')
})

test('case does not matter', () => {
  assert.equal(choose('PT-br', 'en', 'pt-BR'), 'pt-BR')
})
