import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CheckCredentials, Hub, type Subscriber, type WaitOutcome } from './hub.ts'
import type { LogPage, LogQuery } from './log-page.ts'

/** A hub with a fake log that is only a number: everything after a cursor is new. */
function makeHub(checkKeys: CheckCredentials = async () => ({ isMaintenance: false, revoked: new Set() })) {
  const log = { end: 0, asked: [] as LogQuery[] }
  const read = async (question: LogQuery): Promise<LogPage> => {
    log.asked.push(question)
    return {
      last_seq: log.end,
      newest_seq: log.end,
      has_more: false,
      hasEvents: log.end > question.after!,
      isAhead: false,
      text: `up to ${log.end}`,
    }
  }
  return { log, read, hub: new Hub(read, checkKeys) }
}

function makeSubscriber(after = 0, projectId = 'acme') {
  const outcomes: WaitOutcome[] = []
  const query = { projectId, after, limit: 100, types: null }
  const subscriber: Subscriber = {
    credential: { id: 'key', projectId },
    query,
    page: null,
    answer: outcome => void outcomes.push(outcome),
  }
  return {
    subscriber,
    outcomes,
    texts: () => outcomes.map(one => (typeof one === 'string' ? one : one.text)),
  }
}

/** Subscribes, reads the current page, and waits. */
async function subscribeAndWait({ hub, read }: ReturnType<typeof makeHub>, one = makeSubscriber()) {
  const subscription = hub.subscribe(one.subscriber)
  await subscription.wait(await read(one.subscriber.query))
  return { ...one, subscription }
}

test('does not miss a notification between reading and waiting', async () => {
  const { log, read, hub } = makeHub()
  const { subscriber, texts } = makeSubscriber()
  const subscription = hub.subscribe(subscriber)
  const page = await read(subscriber.query)
  log.end = 1
  await hub.notify('acme')
  assert.deepEqual(texts(), [])
  await subscription.wait(page)
  assert.deepEqual(texts(), ['up to 1'])
})

test('any number of subscribers with the same query cause one query per notification', async () => {
  const stage = makeHub()
  const subscribers = await Promise.all(Array.from({ length: 200 }, () => subscribeAndWait(stage)))
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.hub.notify('acme')
  assert.equal(stage.log.asked.length - before, 1)
  for (const { texts } of subscribers) assert.deepEqual(texts(), ['up to 1'])
})

test('a notification of another project causes no query and no answer', async () => {
  const stage = makeHub()
  const rival = await subscribeAndWait(stage, makeSubscriber(0, 'rival'))
  await subscribeAndWait(stage)
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.hub.notify('acme')
  assert.deepEqual(
    stage.log.asked.slice(before).map(({ projectId }) => projectId),
    ['acme'],
  )
  assert.deepEqual(rival.outcomes, [])
})

test('notifications that arrive during a query cause one more query', async () => {
  const stage = makeHub()
  await subscribeAndWait(stage)
  const before = stage.log.asked.length
  await Promise.all(Array.from({ length: 10 }, () => stage.hub.notify('acme')))
  assert.equal(stage.log.asked.length - before, 2)
})

test('other work runs in between while many subscribers are answered', async () => {
  const stage = makeHub()
  const subscribers = await Promise.all(Array.from({ length: 120 }, () => subscribeAndWait(stage)))
  stage.log.end = 1
  const counts: number[] = []
  let isOver = false
  const notifying = stage.hub.notify('acme').then(() => {
    isOver = true
  })
  while (!isOver) {
    counts.push(subscribers.filter(({ outcomes }) => outcomes.length > 0).length)
    await nextTurn()
  }
  await notifying
  assert.deepEqual(
    [...new Set(counts)].filter(count => count > 0),
    [50, 100, 120],
  )
})

test('checks keys after the read, so that events written after a revocation are not sent', async () => {
  const order: string[] = []
  const stage = makeHub(async () => {
    order.push(`checked after ${stage.log.asked.length} questions`)
    return { isMaintenance: false, revoked: new Set(['key']) }
  })
  const { texts } = await subscribeAndWait(stage)
  stage.log.end = 1
  await stage.hub.notify('acme')
  assert.deepEqual([texts(), order], [['revoked'], ['checked after 2 questions']])
})

test('a subscriber that has left gets no answer and causes no query', async () => {
  const stage = makeHub()
  const { subscription, outcomes } = await subscribeAndWait(stage)
  subscription.leave()
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.hub.notify('acme')
  assert.deepEqual([outcomes, stage.log.asked.length - before, stage.hub.listWaiting()], [[], 0, []])
})

test('after a failed query all subscribers keep waiting, and the next notification finds the missed events', async () => {
  const { log, read } = makeHub()
  let isBroken = false
  const hub = new Hub(
    async question => (isBroken ? Promise.reject(new Error('no database')) : read(question)),
    async () => ({ isMaintenance: false, revoked: new Set() }),
  )
  const { texts } = await subscribeAndWait({ log, read, hub })
  isBroken = true
  log.end = 1
  await assert.rejects(hub.notify('acme'), /no database/)
  assert.deepEqual(texts(), [])
  isBroken = false
  await hub.notify('acme')
  assert.deepEqual(texts(), ['up to 1'])
})

test('a subscriber that stays gets one page after another until it has everything', async () => {
  const log = { end: 0 }
  const read = async ({ after }: LogQuery): Promise<LogPage> => {
    const last_seq = Math.min(log.end, after! + 2)
    const rest = {
      newest_seq: log.end,
      has_more: last_seq < log.end,
      hasEvents: last_seq > after!,
      isAhead: false,
    }
    return { last_seq, ...rest, text: `up to ${last_seq}` }
  }
  const hub = new Hub(read, async () => ({ isMaintenance: false, revoked: new Set() }))
  const { subscriber, texts } = makeSubscriber()
  await hub.subscribe(subscriber).wait(await read(subscriber.query))
  for (const end of [1, 6]) {
    log.end = end
    await hub.notify('acme')
  }
  assert.deepEqual(texts(), ['up to 1', 'up to 3', 'up to 5', 'up to 6'])
})

test('with checksFirst off, credentials are not checked before sending, and the regular check ends revoked ones', async () => {
  let checks = 0
  const { log, read } = makeHub()
  const check = async () => {
    checks++
    return { isMaintenance: false, revoked: new Set(['key']) }
  }
  const hub = new Hub(read, check, { checksFirst: false })
  const { outcomes } = await subscribeAndWait({ log, read, hub })
  log.end = 1
  await hub.notify('acme')
  assert.deepEqual([outcomes.length, checks], [1, 0])
  await hub.endRevoked()
  assert.deepEqual([outcomes.at(-1), checks], ['revoked', 1])
})
