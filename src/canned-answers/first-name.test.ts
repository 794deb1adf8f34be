import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstNameOf } from './first-name.ts'

const names: [full: string | null, first: string | null][] = [
  ['Ann Lee', 'Ann'],
  ['Ann\n Lee', 'Ann'],
  ['Ann', 'Ann'],
  ['ANN LEE', 'ANN'],
  ['Lee, Ann', 'Ann'],
  ['van der Berg, Jan Willem', 'Jan'],
  ['Ann Lee, Jr.', 'Ann'],
  ['Velo Works, Inc.', 'Velo'],
  ['Dr. Ann Lee', 'Ann'],
  ['Herr Dr. Max Muster', 'Max'],
  ['Mr Smith', 'Mr Smith'],
  ['NGUYEN Van An', 'Van'],
  ['Ann LEE', 'Ann'],
  ['JP Morgan', 'JP'],
  ['中村 蓮', '中村 蓮'],
  ['王小明', '王小明'],
  ['김 민지', '김 민지'],
  ['كريم منصور', 'كريم'],
  [' , ', null],
  ['Dr.', 'Dr.'],
  [' ', null],
  [null, null],
]

for (const [full, first] of names)
  test(`the first name of ${JSON.stringify(full)} is ${first}`, () => assert.equal(firstNameOf(full), first))
