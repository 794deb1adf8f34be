import type { Condition } from '../../src/conditions/schema.ts'

/** Lists of tickets with conditions, and what people type into the command bar. */

/** Words of subjects, by how many subjects have them. */
export interface Words {
  common: string
  usual: string
  rare: string
}

interface Known {
  department: string
  words: Words
}

type Case = [name: string, condition: Condition]

const all = (...conditions: Condition[]): Condition => ({ all: conditions })

const unfinished: Condition = { field: 'status', op: 'any_of', value: ['new', 'open', 'pending'] }
const lately: Condition = { field: 'created_at', op: 'within_last', value: 'P365D' }

const subject = (...value: string[]): Condition => ({ field: 'subject', op: 'contains_any', value })

const five = ({ department, words }: Known): Case[] => [
  [
    'status, priority, tag, time, department',
    all(
      unfinished,
      { field: 'priority', op: 'any_of', value: ['high', 'urgent'] },
      { field: 'tags', op: 'has_any', value: ['tag-1', 'tag-2'] },
      lately,
      { field: 'department_id', op: 'any_of', value: [department, null] },
    ),
  ],
  [
    'status, tag, subject, time, operator',
    all(
      unfinished,
      { field: 'tags', op: 'has_none', value: ['tag-1'] },
      subject(words.common, words.usual),
      lately,
      { field: 'operator_id', op: 'any_of', value: ['me', null] },
    ),
  ],
  [
    'closed, rating, custom field, contact, priority',
    all(
      { field: 'status', op: 'any_of', value: ['closed'] },
      { field: 'rating', op: 'lt', value: 3 },
      { field: 'custom_fields.plan', op: 'contains_any', value: ['pro'] },
      { field: 'contact.name', op: 'not_empty' },
      { field: 'priority', op: 'none_of', value: ['low'] },
    ),
  ],
  [
    'unread, waiting, subject, none of two, number of messages',
    all(
      { field: 'is_unread', op: 'is', value: true },
      { field: 'waiting_since', op: 'not_empty' },
      { field: 'subject', op: 'contains_none', value: [words.common] },
      {
        none: [
          { field: 'channel', op: 'any_of', value: ['api'] },
          { field: 'is_snoozed', op: 'is', value: true },
        ],
      },
      { field: 'messages_count', op: 'gt', value: 1 },
    ),
  ],
]

const fiveMore = ({ words }: Known): Case[] => [
  [
    'any of five',
    {
      any: [
        subject(words.rare),
        { field: 'tags', op: 'has_any', value: ['tag-299'] },
        { field: 'priority', op: 'any_of', value: ['urgent'] },
        { field: 'contact.email_domain', op: 'contains_any', value: ['absent.example.com'] },
        { field: 'rating', op: 'is', value: 1 },
      ],
    },
  ],
  [
    'words of messages, status, time, channel, file',
    all(
      { field: 'message', op: 'contains_any', value: ['quasar', 'walnut'] },
      unfinished,
      lately,
      { field: 'channel', op: 'any_of', value: ['email', 'widget'] },
      { field: 'has_files', op: 'is', value: false },
    ),
  ],
]

const one = ({ words }: Known): Case[] => [
  ...Object.entries(words).map(([kind, word]): Case => [`subject, ${kind} word`, subject(word)]),
  ['subject, absent word', subject('absentword')],
  ['subject, two words', subject(`${words.common} ${words.usual}`)],
  ['subject without a word', { field: 'subject', op: 'contains_none', value: [words.common] }],
  ['subject, absent Chinese word', subject('发票')],
  ['subject, beginning', { field: 'subject', op: 'starts_with', value: `${words.rare} absent` }],
  ['message, rare word', { field: 'message', op: 'contains_any', value: ['quasar'] }],
  ['message, common word', { field: 'message', op: 'contains_any', value: ['meadow'] }],
  ['message, absent word', { field: 'message', op: 'contains_any', value: ['absentword'] }],
  ['contact, absent name', { field: 'contact.name', op: 'contains_any', value: ['absentword'] }],
  [
    'contact, absent domain',
    { field: 'contact.email_domain', op: 'contains_any', value: ['absent.example.com'] },
  ],
  ['custom field, absent text', { field: 'custom_fields.plan', op: 'contains_any', value: ['absentword'] }],
  ['files', { field: 'has_files', op: 'is', value: true }],
]

export const listCases = (known: Known): Case[] => [...five(known), ...fiveMore(known), ...one(known)]

/** A word as it is typed, a common one, an email address, and a word with a typing error. */
export const questions = [
  'qu',
  'quasar',
  'me',
  'meadow',
  'the',
  'the harb',
  'lantren',
  'absentword',
  'ann@example.com',
]
