import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { after, beforeEach, mock, test } from 'node:test'
import { watchUploadSpeed } from './upload-speed.ts'

let request: EventEmitter
let late: number
after(() => mock.timers.reset())

const watch = () => watchUploadSpeed(request as IncomingMessage, () => late++)
const bring = (bytes: number) => request.emit('data', Buffer.alloc(bytes))

beforeEach(() => {
  mock.timers.reset()
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  request = new EventEmitter()
  late = 0
})

test('a body that sends 64 KiB every 30 seconds may take 15 minutes, but not longer', () => {
  watch()
  for (let window = 0; window < 29; window++) {
    bring(64 * 1024)
    mock.timers.tick(30_000)
  }
  assert.equal(late, 0)
  bring(64 * 1024)
  mock.timers.tick(30_000)
  assert.equal(late, 1)
})

test('a body that sends less in any 30 seconds is reported as late once', () => {
  watch()
  bring(10_000_000)
  mock.timers.tick(30_000)
  bring(64 * 1024 - 1)
  mock.timers.tick(29_999)
  assert.equal(late, 0)
  mock.timers.tick(1)
  assert.equal(late, 1)
  mock.timers.tick(1_000_000)
  assert.equal(late, 1)
})

test('a stopped watch reports nothing and removes its listeners', () => {
  watch()()
  mock.timers.tick(1_000_000)
  assert.deepEqual([late, request.listenerCount('data')], [0, 0])
})
