import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sendRaw } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { boundary, formOf } from '../../test/upload.ts'

/** Sends almost correct forms. Every response must be documented, and refused forms must leave nothing behind. */

const server = await startServer({ delivers: false })
const { db, url, config, acme } = server
after(() => server.close())

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
/** FORMS=5000 runs as many as promise F5 requires. */
const runs = Number(process.env.FORMS ?? 1_500)
const atOnce = 4

const whole = formOf(
  { name: 'note', filename: null, content: 'a note' },
  { filename: 'a.txt', content: 'x'.repeat(3_000), type: 'text/plain' },
  { name: 'filename', filename: null, content: 'b.txt' },
).toString('latin1')

const pieces = [
  boundary,
  `--${boundary}`,
  `\r\n--${boundary}--`,
  '\r\n',
  '\r\n\r\n',
  '--',
  '"',
  ';',
  'filename="',
  'name="file"',
  "filename*=UTF-8''%ff",
  'Content-Disposition: form-data; name="file"; filename="x"',
  'Content-Type: text/html',
  '\0',
  'Content-Transfer-Encoding: base64',
  '\xff\xfe',
  ':',
  'x'.repeat(70_000),
]
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const change = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: place }),
  fc.record({ kind: fc.constant('drop' as const), at: place, length: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ kind: fc.constant('insert' as const), at: place, piece: fc.constantFrom(...pieces) }),
  fc.record({ kind: fc.constant('flip' as const), at: place, to: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: place, length: fc.integer({ min: 1, max: 4_000 }) }),
)

function mutate(form: string, step: typeof change extends fc.Arbitrary<infer T> ? T : never): string {
  const at = Math.floor(step.at * form.length)
  const [before, behind] = [form.slice(0, at), form.slice(at)]
  if (step.kind === 'cut') return before
  if (step.kind === 'drop') return before + behind.slice(step.length)
  if (step.kind === 'insert') return before + step.piece + behind
  if (step.kind === 'flip') return before + String.fromCharCode(step.to) + behind.slice(1)
  return before + behind.slice(0, step.length) + behind
}

const types = fc.oneof(
  { weight: 12, arbitrary: fc.constant(`multipart/form-data; boundary=${boundary}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `multipart/form-data; boundary="${boundary}"`,
      'multipart/form-data; boundary=other',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      `multipart/form-data; charset=utf-16; boundary=${boundary}`,
      'multipart/form-data; boundary=""',
    ),
  },
)

const request = (type: string, form: string): Buffer =>
  Buffer.from(
    `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${acme.key.key}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    'latin1',
  )

test(`${runs} malformed forms (seed ${seed}) are answered with 201 or a validation list, and leave nothing behind`, async context => {
  const seen = new Map<number, number>()
  const broken = fc.tuple(types, fc.array(change, { minLength: 1, maxLength: 3 }))
  const forms = fc.sample(broken, { seed, numRuns: runs })
  const check = async ([type, steps]: (typeof forms)[number]) => {
    const form = steps.reduce(mutate, whole)
    const { status, body, text } = await sendRaw(url, request(type, form))
    const description = `seed ${seed}: ${JSON.stringify([type, steps])} → ${status} ${text}`
    assert.ok(status === 201 || (status === 422 && Array.isArray(body.detail)), description)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  while (forms.length) await Promise.all(forms.splice(0, atOnce).map(check))
  context.diagnostic(`answers: ${JSON.stringify([...seen])}`)
  assert.ok(seen.get(201)! > 20 && seen.get(422)! > 20)
  await until(async () => (await db`select from stray_objects`).length === 0)
  const objects = readdirSync(join(config.dataDir, 'files'), { recursive: true }).map(String)
  const [row] = await db`select count(*)::int as count from media`
  assert.equal(objects.filter(path => path.split('/').at(-1)!.length === 32).length, row!.count)
})
