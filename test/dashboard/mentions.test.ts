import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionedIn } from '../../web/dashboard/messages/mentions.ts'

const ann = { id: 'ann', name: 'Ann' }
const annLee = { id: 'lee', name: 'Ann Lee' }
const otherAnn = { id: 'other', name: 'Ann' }
const omar = { id: 'omar', name: 'Omar Aziz' }
const people = [ann, annLee, omar]

test('mentions a person whose name was typed, even if they were not chosen from the list', () => {
  assert.deepEqual(mentionedIn('Look, @Omar Aziz', [], people), ['omar'])
  assert.deepEqual(mentionedIn('Look, Omar Aziz', [], people), [])
  assert.deepEqual(mentionedIn('Look', [ann], people), [])
})

test('accepts a first name that only one person has', () => {
  assert.deepEqual(mentionedIn('Look, @Omar!', [], people), ['omar'])
  assert.deepEqual(mentionedIn('Look, @Omar!', [], [...people, { id: 'two', name: 'Omar Bey' }]), [])
})

test('does not mention a person whose name is only the start of another, or part of a word', () => {
  assert.deepEqual(mentionedIn('@Ann Lee, please', [], people), ['lee'])
  assert.deepEqual(mentionedIn('@Ann Lee and @Ann', [], people), ['lee', 'ann'])
  assert.deepEqual(mentionedIn('@Annual, joe@Ann.example', [], people), [])
})

test('mentions the chosen one of two people with the same name', () => {
  assert.deepEqual(mentionedIn('@Ann', [otherAnn], [...people, otherAnn]), ['other'])
  assert.deepEqual(mentionedIn('@Ann', [], [...people, otherAnn]), ['ann', 'other'])
})
