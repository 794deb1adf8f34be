import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionedIn } from '../../web/dashboard/messages/mentions.ts'

const ann = { id: 'ann', name: 'Ann' }
const annLee = { id: 'lee', name: 'Ann Lee' }
const otherAnn = { id: 'other', name: 'Ann' }
const omar = { id: 'omar', name: 'Omar Aziz' }
const people = [ann, annLee, omar]

test('a note tells whose name was typed, not only who was chosen', () => {
  assert.deepEqual(mentionedIn('Look, @Omar Aziz', [], people), ['omar'])
  assert.deepEqual(mentionedIn('Look, Omar Aziz', [], people), [])
  assert.deepEqual(mentionedIn('Look', [ann], people), [])
})

test('a first name is enough where one alone has it', () => {
  assert.deepEqual(mentionedIn('Look, @Omar!', [], people), ['omar'])
  assert.deepEqual(mentionedIn('Look, @Omar!', [], [...people, { id: 'two', name: 'Omar Bey' }]), [])
})

test('a note does not tell somebody whose name begins another one, or is within a word', () => {
  assert.deepEqual(mentionedIn('@Ann Lee, please', [], people), ['lee'])
  assert.deepEqual(mentionedIn('@Ann Lee and @Ann', [], people), ['lee', 'ann'])
  assert.deepEqual(mentionedIn('@Annual, joe@Ann.example', [], people), [])
})

test('of two of the same name a note tells the one that was chosen', () => {
  assert.deepEqual(mentionedIn('@Ann', [otherAnn], [...people, otherAnn]), ['other'])
  assert.deepEqual(mentionedIn('@Ann', [], [...people, otherAnn]), ['ann', 'other'])
})
