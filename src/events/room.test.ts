import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, Question } from './page.ts'
import { type CheckPasses, type Outcome, Room, type Visitor } from './room.ts'

/** The room on a log that is only a number: everything after a cursor is news. */
function makeRoom(checkKeys: CheckPasses = async () => ({ isMaintenance: false, revoked: new Set() })) {
  const log = { end: 0, asked: [] as Question[] }
  const read = async (question: Question): Promise<Page> => {
    log.asked.push(question)
    return {
      last_seq: log.end,
      newest_seq: log.end,
      has_more: false,
      isNews: log.end > question.after!,
      isAhead: false,
      text: `up to ${log.end}`,
    }
  }
  return { log, read, room: new Room(read, checkKeys) }
}

function makeVisitor(after = 0, projectId = 'acme') {
  const told: Outcome[] = []
  const question = { projectId, after, limit: 100, types: null }
  const visitor: Visitor = {
    pass: { id: 'key', projectId },
    question,
    page: null,
    answer: outcome => void told.push(outcome),
  }
  return { visitor, told, texts: () => told.map(one => (typeof one === 'string' ? one : one.text)) }
}

/** Enters, reads what is there, and waits. */
async function sit({ room, read }: ReturnType<typeof makeRoom>, one = makeVisitor()) {
  const place = room.enter(one.visitor)
  await place.wait(await read(one.visitor.question))
  return { ...one, place }
}

test('a bell between the reading and the waiting is not missed', async () => {
  const { log, read, room } = makeRoom()
  const { visitor, texts } = makeVisitor()
  const place = room.enter(visitor)
  const page = await read(visitor.question)
  log.end = 1
  await room.ring('acme')
  assert.deepEqual(texts(), [])
  await place.wait(page)
  assert.deepEqual(texts(), ['up to 1'])
})

test('however many wait for the same, a bell is one question', async () => {
  const stage = makeRoom()
  const sitting = await Promise.all(Array.from({ length: 200 }, () => sit(stage)))
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.room.ring('acme')
  assert.equal(stage.log.asked.length - before, 1)
  for (const { texts } of sitting) assert.deepEqual(texts(), ['up to 1'])
})

test('who waits for another project is not asked for, nor told', async () => {
  const stage = makeRoom()
  const rival = await sit(stage, makeVisitor(0, 'rival'))
  await sit(stage)
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.room.ring('acme')
  assert.deepEqual(
    stage.log.asked.slice(before).map(({ projectId }) => projectId),
    ['acme'],
  )
  assert.deepEqual(rival.told, [])
})

test('bells that ring while the log is asked are one more question', async () => {
  const stage = makeRoom()
  await sit(stage)
  const before = stage.log.asked.length
  await Promise.all(Array.from({ length: 10 }, () => stage.room.ring('acme')))
  assert.equal(stage.log.asked.length - before, 2)
})

test('of many who are told, others get their turn in between', async () => {
  const stage = makeRoom()
  const sitting = await Promise.all(Array.from({ length: 120 }, () => sit(stage)))
  stage.log.end = 1
  const counts: number[] = []
  let isOver = false
  const ringing = stage.room.ring('acme').then(() => {
    isOver = true
  })
  while (!isOver) {
    counts.push(sitting.filter(({ told }) => told.length > 0).length)
    await nextTurn()
  }
  await ringing
  assert.deepEqual(
    [...new Set(counts)].filter(count => count > 0),
    [50, 100, 120],
  )
})

test('keys are checked after the reading, so that none is told what was written after its end', async () => {
  const order: string[] = []
  const stage = makeRoom(async () => {
    order.push(`checked after ${stage.log.asked.length} questions`)
    return { isMaintenance: false, revoked: new Set(['key']) }
  })
  const { texts } = await sit(stage)
  stage.log.end = 1
  await stage.room.ring('acme')
  assert.deepEqual([texts(), order], [['revoked'], ['checked after 2 questions']])
})

test('who has left is neither told nor asked for', async () => {
  const stage = makeRoom()
  const { place, told } = await sit(stage)
  place.leave()
  const before = stage.log.asked.length
  stage.log.end = 1
  await stage.room.ring('acme')
  assert.deepEqual([told, stage.log.asked.length - before, stage.room.listWaiting()], [[], 0, []])
})

test('a question that failed leaves everybody waiting, and the next bell finds what was missed', async () => {
  const { log, read } = makeRoom()
  let isBroken = false
  const room = new Room(
    async question => (isBroken ? Promise.reject(new Error('no database')) : read(question)),
    async () => ({ isMaintenance: false, revoked: new Set() }),
  )
  const { texts } = await sit({ log, read, room })
  isBroken = true
  log.end = 1
  await assert.rejects(room.ring('acme'), /no database/)
  assert.deepEqual(texts(), [])
  isBroken = false
  await room.ring('acme')
  assert.deepEqual(texts(), ['up to 1'])
})

test('who waits on after an answer is told the next page, and what is too much for one at once after it', async () => {
  const log = { end: 0 }
  const read = async ({ after }: Question): Promise<Page> => {
    const last_seq = Math.min(log.end, after! + 2)
    const rest = {
      newest_seq: log.end,
      has_more: last_seq < log.end,
      isNews: last_seq > after!,
      isAhead: false,
    }
    return { last_seq, ...rest, text: `up to ${last_seq}` }
  }
  const room = new Room(read, async () => ({ isMaintenance: false, revoked: new Set() }))
  const { visitor, texts } = makeVisitor()
  await room.enter(visitor).wait(await read(visitor.question))
  for (const end of [1, 6]) {
    log.end = end
    await room.ring('acme')
  }
  assert.deepEqual(texts(), ['up to 1', 'up to 3', 'up to 5', 'up to 6'])
})

test('where passes need not be checked before telling, they are not, and the turn sends them away', async () => {
  let checks = 0
  const { log, read } = makeRoom()
  const check = async () => {
    checks++
    return { isMaintenance: false, revoked: new Set(['key']) }
  }
  const room = new Room(read, check, { checksFirst: false })
  const { told } = await sit({ log, read, room })
  log.end = 1
  await room.ring('acme')
  assert.deepEqual([told.length, checks], [1, 0])
  await room.sendAway()
  assert.deepEqual([told.at(-1), checks], ['revoked', 1])
})
