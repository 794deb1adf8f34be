import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlaces } from './places.ts'
import { exactly, type Group } from './question.ts'

const term = (word: string) => exactly({ word, position: 0, start: 0, end: 0, kind: 'word' })
const phrase = (...words: string[]): Group => ({ all: [words.map(term)], instead: [] })

test('a phrase is found where its words are adjacent and in order', () => {
  const text = 'late delivery, and a delivery that was late'
  assert.deepEqual(findPlaces([phrase('late', 'delivery')], text), [{ start: 0, end: 13 }])
  assert.deepEqual(findPlaces([phrase('delivery', 'late')], text), [])
})

test('finding a search of hundreds of words in a text takes limited time', () => {
  const text = 'a '.repeat(10_000)
  const before = process.cpuUsage().user
  const almost = phrase(...Array(11).fill('a'), 'b')
  assert.deepEqual(findPlaces(Array(100).fill(almost), text), [])
  assert.ok(findPlaces([phrase(...Array(240).fill('a'))], text).length <= 50)
  assert.ok((process.cpuUsage().user - before) / 1_000 < 3_000)
})
