import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Slots } from './slots.ts'

const fill = (slots: Slots, projectId: string, targetId: string, count: number) => {
  for (let taken = 0; taken < count; taken++) slots.take(projectId, targetId)
}
const target = (slots: Slots, id: string) => slots.room().targets.find(one => one.id === id)
const project = (slots: Slots, id: string) => slots.room().projects.find(one => one.id === id)

test('an empty process has room for 256, a project for 64, a target for 8', () => {
  assert.deepEqual(new Slots().room(), { total: 256, project: 64, cap: 8, targets: [], projects: [] })
})

test('what is under way is counted for the target, the project and the process', () => {
  const slots = new Slots()
  fill(slots, 'p', 'a', 3)
  fill(slots, 'p', 'b', 2)
  assert.deepEqual(slots.room(), {
    total: 251,
    project: 64,
    cap: 8,
    targets: [
      { id: 'a', inFlight: 3, isProbing: false },
      { id: 'b', inFlight: 2, isProbing: false },
    ],
    projects: [{ id: 'p', room: 59, cap: 8 }],
  })
})

test('a project that fills gives each of its targets less', () => {
  const slots = new Slots()
  fill(slots, 'p', 'a', 31)
  assert.equal(project(slots, 'p')!.cap, 8)
  fill(slots, 'p', 'b', 1)
  assert.equal(project(slots, 'p')!.cap, 2)
  fill(slots, 'p', 'c', 16)
  assert.equal(project(slots, 'p')!.cap, 1)
})

test('twenty hanging targets of a project leave a place to thirty others', () => {
  const slots = new Slots()
  for (let turn = 0; turn < 20; turn++) {
    const cap = project(slots, 'p')?.cap ?? 8
    fill(slots, 'p', `hanging ${turn}`, Math.min(cap, project(slots, 'p')?.room ?? 64))
  }
  assert.ok(project(slots, 'p')!.room > 0)
})

test('after 10 s without a success a target gets one slot, after a success eight', () => {
  let now = 0
  const slots = new Slots(() => now)
  fill(slots, 'p', 'a', 2)
  now = 10_000
  slots.free('a', { isSuccess: false, startedAt: 0 })
  assert.equal(target(slots, 'a')!.isProbing, false)
  now = 10_001
  assert.equal(target(slots, 'a')!.isProbing, true)
  slots.free('a', { isSuccess: true, startedAt: 0 })
  assert.equal(target(slots, 'a'), undefined)
})

test('a probing target stays one while nothing of it is under way', () => {
  let now = 0
  const slots = new Slots(() => now)
  fill(slots, 'p', 'a', 1)
  slots.free('a', { isSuccess: false, startedAt: 0 })
  assert.equal(target(slots, 'a'), undefined)
  now = 20_000
  assert.deepEqual(target(slots, 'a'), { id: 'a', inFlight: 0, isProbing: true })
})

test('a target that was not tried for eight hours is forgotten', () => {
  let now = 0
  const slots = new Slots(() => now)
  fill(slots, 'p', 'a', 1)
  slots.free('a', { isSuccess: false, startedAt: 0 })
  now = 8 * 3_600_000 + 1
  assert.equal(target(slots, 'a'), undefined)
})

test('a place that becomes free where all were taken is told', () => {
  const slots = new Slots()
  fill(slots, 'p', 'a', 8)
  fill(slots, 'p', 'b', 1)
  assert.equal(slots.free('b', { isSuccess: true, startedAt: 0 }), false)
  assert.equal(slots.free('a', { isSuccess: true, startedAt: 0 }), true)
  assert.equal(slots.free('a', { isSuccess: true, startedAt: 0 }), false)
})

test('a place that becomes free where the project or the process was full is told', () => {
  const full = { isSuccess: true, startedAt: 0 }
  const project = new Slots()
  for (let target = 0; target < 64; target++) fill(project, 'p', `t${target}`, 1)
  fill(project, 'other', 'of another', 1)
  assert.equal(project.free('of another', full), false)
  assert.equal(project.free('t0', full), true)
  const process = new Slots()
  for (let target = 0; target < 256; target++) fill(process, `p${target}`, `t${target}`, 1)
  assert.equal(process.free('t0', full), true)
})

test('whatever is taken and freed, the counts are those of what is under way', () => {
  const step = fc.record({ target: fc.nat(5), isTaking: fc.boolean(), isSuccess: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step), steps => {
      const slots = new Slots()
      const held = new Map<number, number>()
      for (const { target, isTaking, isSuccess } of steps) {
        const count = held.get(target) ?? 0
        if (isTaking) slots.take(`p${target % 2}`, `t${target}`)
        else if (count) slots.free(`t${target}`, { isSuccess, startedAt: 0 })
        held.set(target, Math.max(count + (isTaking ? 1 : -1), 0))
      }
      const total = [...held.values()].reduce((sum, count) => sum + count, 0)
      assert.equal(slots.room().total, 256 - total)
      for (const [id, count] of held) assert.equal(target(slots, `t${id}`)?.inFlight ?? 0, count)
    }),
  )
})
