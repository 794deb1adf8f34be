import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSlowest, listTooSlow, type Time } from './slowest.ts'

const time = (file: string, processor: number, sample = 8): Time => ({ file, processor, wall: 30, sample })

test('names a file that takes more than 20 s of CPU time', () => {
  const [line, ...others] = listTooSlow([time('a.test.ts', 19.9), time('b.test.ts', 20.1)])
  assert.match(line!, /^b\.test\.ts took 20\.1 s .* may take 20\.0 s .*CONTRIBUTING/)
  assert.deepEqual(others, [])
})

test('allows a file twice the time on a machine that is half as fast', () => {
  const others = Array.from({ length: 3 }, (_, index) => time(`${index}.test.ts`, 1, 16))
  assert.deepEqual(listTooSlow([time('b.test.ts', 39, 8), ...others]), [])
  assert.equal(listTooSlow([time('b.test.ts', 41, 8), ...others]).length, 1)
})

test('lists the ten slowest files, the slowest first', () => {
  const lines = listSlowest(Array.from({ length: 12 }, (_, index) => time(`${index}.test.ts`, index)))
  assert.deepEqual(
    lines
      .split('\n')
      .slice(2, -1)
      .map(line => line.split('  ').at(-1)),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(index => `${index}.test.ts`),
  )
})
