import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TargetConcurrency } from './target-concurrency.ts'

const fill = (concurrency: TargetConcurrency, projectId: string, targetId: string, count: number) => {
  for (let taken = 0; taken < count; taken++) concurrency.acquire(projectId, targetId)
}
const target = (concurrency: TargetConcurrency, id: string) =>
  concurrency.freeCapacity().targets.find(one => one.id === id)
const project = (concurrency: TargetConcurrency, id: string) =>
  concurrency.freeCapacity().projects.find(one => one.id === id)

test('without load, a process has 256 slots, a project 64 and a target 8', () => {
  assert.deepEqual(new TargetConcurrency().freeCapacity(), {
    total: 256,
    project: 64,
    cap: 8,
    targets: [],
    projects: [],
  })
})

test('attempts in progress count for the target, the project and the process', () => {
  const concurrency = new TargetConcurrency()
  fill(concurrency, 'p', 'a', 3)
  fill(concurrency, 'p', 'b', 2)
  assert.deepEqual(concurrency.freeCapacity(), {
    total: 251,
    project: 64,
    cap: 8,
    targets: [
      { id: 'a', inFlight: 3, isProbing: false },
      { id: 'b', inFlight: 2, isProbing: false },
    ],
    projects: [{ id: 'p', freeSlots: 59, cap: 8 }],
  })
})

test('the fuller a project is, the fewer slots each of its targets gets', () => {
  const concurrency = new TargetConcurrency()
  fill(concurrency, 'p', 'a', 31)
  assert.equal(project(concurrency, 'p')!.cap, 8)
  fill(concurrency, 'p', 'b', 1)
  assert.equal(project(concurrency, 'p')!.cap, 2)
  fill(concurrency, 'p', 'c', 16)
  assert.equal(project(concurrency, 'p')!.cap, 1)
})

test('twenty hanging targets of a project leave slots for others', () => {
  const concurrency = new TargetConcurrency()
  for (let turn = 0; turn < 20; turn++) {
    const cap = project(concurrency, 'p')?.cap ?? 8
    fill(concurrency, 'p', `hanging ${turn}`, Math.min(cap, project(concurrency, 'p')?.freeSlots ?? 64))
  }
  assert.ok(project(concurrency, 'p')!.freeSlots > 0)
})

test('after 10 s without a success a target gets one slot, and after a success eight', () => {
  let now = 0
  const concurrency = new TargetConcurrency(() => now)
  fill(concurrency, 'p', 'a', 2)
  now = 10_000
  concurrency.release('a', { isSuccess: false, startedAt: 0 })
  assert.equal(target(concurrency, 'a')!.isProbing, false)
  now = 10_001
  assert.equal(target(concurrency, 'a')!.isProbing, true)
  concurrency.release('a', { isSuccess: true, startedAt: 0 })
  assert.equal(target(concurrency, 'a'), undefined)
})

test('a probing target stays in that state without attempts in progress', () => {
  let now = 0
  const concurrency = new TargetConcurrency(() => now)
  fill(concurrency, 'p', 'a', 1)
  concurrency.release('a', { isSuccess: false, startedAt: 0 })
  assert.equal(target(concurrency, 'a'), undefined)
  now = 20_000
  assert.deepEqual(target(concurrency, 'a'), { id: 'a', inFlight: 0, isProbing: true })
})

test('forgets a target that was not tried for eight hours', () => {
  let now = 0
  const concurrency = new TargetConcurrency(() => now)
  fill(concurrency, 'p', 'a', 1)
  concurrency.release('a', { isSuccess: false, startedAt: 0 })
  now = 8 * 3_600_000 + 1
  assert.equal(target(concurrency, 'a'), undefined)
})

test('reports a released slot if the target was full', () => {
  const concurrency = new TargetConcurrency()
  fill(concurrency, 'p', 'a', 8)
  fill(concurrency, 'p', 'b', 1)
  assert.equal(concurrency.release('b', { isSuccess: true, startedAt: 0 }), false)
  assert.equal(concurrency.release('a', { isSuccess: true, startedAt: 0 }), true)
  assert.equal(concurrency.release('a', { isSuccess: true, startedAt: 0 }), false)
})

test('reports a released slot if the project or the process was full', () => {
  const full = { isSuccess: true, startedAt: 0 }
  const project = new TargetConcurrency()
  for (let target = 0; target < 64; target++) fill(project, 'p', `t${target}`, 1)
  fill(project, 'other', 'of another', 1)
  assert.equal(project.release('of another', full), false)
  assert.equal(project.release('t0', full), true)
  const process = new TargetConcurrency()
  for (let target = 0; target < 256; target++) fill(process, `p${target}`, `t${target}`, 1)
  assert.equal(process.release('t0', full), true)
})

const succeed = (concurrency: TargetConcurrency, projectId: string, targetId: string) => {
  concurrency.acquire(projectId, targetId)
  concurrency.release(targetId, { isSuccess: true, startedAt: 0 })
}

test('reserves slots only of targets that succeeded within the last minute', () => {
  let now = 0
  const concurrency = new TargetConcurrency(() => now)
  succeed(concurrency, 'p', 'a')
  succeed(concurrency, 'q', 'b')
  succeed(concurrency, 'p', 'failing')
  fill(concurrency, 'p', 'failing', 1)
  concurrency.release('failing', { isSuccess: false, startedAt: 0 })
  assert.deepEqual(concurrency.reserve('p', 1), [{ id: 'a', count: 1 }])
  now = 60_000
  assert.deepEqual(concurrency.reserve('p', 1), [])
})

test('reserves at most eight slots of a target', () => {
  const concurrency = new TargetConcurrency()
  succeed(concurrency, 'p', 'a')
  assert.deepEqual(concurrency.reserve('p', 3), [{ id: 'a', count: 3 }])
  assert.deepEqual(concurrency.reserve('p', 9), [{ id: 'a', count: 5 }])
  assert.deepEqual(concurrency.reserve('p', 1), [])
  assert.equal(concurrency.cancel('a'), true)
  assert.equal(concurrency.cancel('a'), false)
  assert.deepEqual(concurrency.reserve('p', 9), [{ id: 'a', count: 2 }])
})

test('reserves at most half of the slots of a project, and of eight of its targets', () => {
  const concurrency = new TargetConcurrency()
  for (let target = 0; target < 20; target++) succeed(concurrency, 'p', `t${target}`)
  const taken = concurrency.reserve('p', 8)
  assert.deepEqual(
    taken,
    ['t12', 't13', 't14', 't15'].map(id => ({ id, count: 8 })),
  )
  for (const { id } of taken) for (let slot = 0; slot < 8; slot++) concurrency.cancel(id)
  assert.equal(concurrency.reserve('p', 1).length, 8)
})

test('after any sequence of acquiring and releasing, the counts match the attempts in progress', () => {
  const step = fc.record({ target: fc.nat(5), isTaking: fc.boolean(), isSuccess: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step), steps => {
      const concurrency = new TargetConcurrency()
      const held = new Map<number, number>()
      for (const { target, isTaking, isSuccess } of steps) {
        const count = held.get(target) ?? 0
        if (isTaking) concurrency.acquire(`p${target % 2}`, `t${target}`)
        else if (count) concurrency.release(`t${target}`, { isSuccess, startedAt: 0 })
        held.set(target, Math.max(count + (isTaking ? 1 : -1), 0))
      }
      const total = [...held.values()].reduce((sum, count) => sum + count, 0)
      assert.equal(concurrency.freeCapacity().total, 256 - total)
      for (const [id, count] of held) assert.equal(target(concurrency, `t${id}`)?.inFlight ?? 0, count)
    }),
  )
})
