import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

const send = (raw: string | Uint8Array, path = '/contacts') => api.post(path, undefined, { raw })

test('malformed JSON is refused as json_invalid at body', async () => {
  for (const raw of [
    '{',
    '}',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    'nul',
    '[1',
    '"',
    '{"a":1}x',
    '\ufeff',
    'NaN',
    '01',
    '"\t"',
  ]) {
    const answer = await send(raw)
    assertProblems(answer)
    assert.equal(answer.body.detail[0].type, 'json_invalid', raw)
    assert.equal(answer.body.detail[0].loc[0], 'body', raw)
  }
})

test('a missing or empty body is reported as missing', async () => {
  assertProblems(await api.post('/contacts'), 'body:missing')
  assertProblems(await send(''), 'body:missing')
  assertProblems(await send(' '))
})

test('a body that is not an object is refused as dict_type', async () => {
  for (const raw of ['null', '1', '"x"', '[]', 'true', '[{}]'])
    assertProblems(await send(raw), 'body:dict_type')
})

test('an optional body may be missing, empty or {}', async () => {
  for (const body of [undefined, '', '{}']) {
    const ticket = await makeTicket(api)
    const answer = await api.post(
      `/tickets/${ticket.id}/close`,
      undefined,
      body === undefined ? {} : { raw: body },
    )
    assert.equal(answer.status, 200, answer.text)
  }
  const ticket = await makeTicket(api)
  for (const raw of ['null', '[]', '1'])
    assertProblems(await send(raw, `/tickets/${ticket.id}/close`), 'body')
})

const unclean: [string, string][] = [
  ['a NUL', '"a\\u0000b"'],
  ['a lone high surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"\\udc00x"'],
  ['swapped surrogates', '"\\udc00\\ud800"'],
]
for (const [name, text] of unclean) {
  test(`refuses ${name} in any string`, async () => {
    const mail = `"email":"${unique()}@example.com"`
    assertProblems(await send(`{${mail},"full_name":${text}}`), 'body.full_name')
    assertProblems(await send(`{${mail},"tags":["ok",${text}]}`), 'body.tags.1')
    assertProblems(await send(`{${mail},"custom_fields":{"k":${text}}}`), 'body.custom_fields.k')
    assertProblems(await send(`{${mail},"custom_fields":{${text}:1}}`))
    assertProblems(await send(`{"email":${text}}`), 'body.email')
    const { id } = await makeTicket(api)
    assertProblems(await send(`{"content":${text}}`, `/tickets/${id}/messages`), 'body.content')
    assertProblems(await send(`{"comment":${text}}`, `/tickets/${id}/close`), 'body.comment')
  })
}

test('bytes that are not UTF-8 are refused as json_invalid', async () => {
  const begin = [...Buffer.from('{"email":"a@b.io","full_name":"')]
  for (const bytes of [
    [0xff],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xc0, 0x80],
    [0xe2, 0x82],
  ]) {
    const answer = await send(Buffer.from([...begin, ...bytes, ...Buffer.from('"}')]))
    assertProblems(answer)
    assert.equal(answer.body.detail[0].type, 'json_invalid')
  }
})

test('refuses a nesting of 10,000 levels quickly', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = open.repeat(10_000) + (close === '}' ? '1' : '') + close.repeat(10_000)
    for (const raw of [deep, `{"email":"a@b.io","custom_fields":{"a":${deep}}}`, open.repeat(100_000)]) {
      assertProblems(await send(raw))
    }
  }
})

test('of duplicate keys, only one value is used', async () => {
  const [one, two] = [`${unique()}@example.com`, `${unique()}@example.com`]
  const { status, body } = await send(`{"email":"${one}","email":"${two}"}`)
  assert.equal(status, 201)
  assert.ok([one, two].includes(body.email))
})

test('__proto__, constructor and prototype are ordinary names or ignored, and have no side effect', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    '\\u005f_proto__',
    'toString',
    'hasOwnProperty',
  ]) {
    const raw = `{"email":"${unique()}@example.com","${name}":{"full_name":"Evil","is_admin":true},
      "custom_fields":{"${name}":"x","ok":1}}`
    const { status, body, text } = await send(raw)
    assert.equal(status, 201, `${name}: ${text}`)
    assert.deepEqual([body.full_name, body.custom_fields.ok], [null, 1])
  }
  assert.equal(({} as Record<string, unknown>).is_admin, undefined)
  assert.equal((await makeContact(api)).full_name, null)
})

test('a custom field may have any key except those that are dropped', async () => {
  const fields = { constructor: 'a', toString: 'b', '': 'c', 'a.b/c~d': 'd', '1': 'e', é: 'f' }
  assert.deepEqual((await makeContact(api, { custom_fields: fields })).custom_fields, fields)
})

const numbers = [
  '9223372036854775807',
  '9223372036854775808',
  '1e400',
  '-1e400',
  '1e-400',
  '1e308',
  '0.1',
  '-0',
  '2147483648',
]

test('numbers out of range are refused or stored, and never cause a server error', async () => {
  const { id } = await makeTicket(api)
  for (const number of numbers) {
    for (const raw of [`{"telegram_id":${number}}`, `{"email":"a@b.io","custom_fields":{"n":${number}}}`]) {
      const answer = await send(raw)
      assert.ok([201, 422].includes(answer.status), `${raw}: ${answer.text}`)
    }
    const rating = await send(`{"rating":${number}}`, `/tickets/${id}/rate`)
    assertProblems(rating, 'body.rating')
  }
  const long = '9'.repeat(100_000)
  assert.ok((await send(`{"email":"a@b.io","custom_fields":{"n":${long}}}`)).status < 500)
  assertProblems(await send(`{"telegram_id":${long}}`), 'body.telegram_id')
})

test('a number in a custom field is returned as it was sent', async () => {
  for (const n of [0.1, -1.5, 2 ** 53 - 1, 5e-324, 123456789.123]) {
    assert.equal((await makeContact(api, { custom_fields: { n } })).custom_fields.n, n)
  }
})

test('strings of 1 MB, long lists and many keys are refused or stored within a second', async () => {
  const bodies = [
    { email: `${'a'.repeat(900_000)}@b.io` },
    { email: 'a@b.io', full_name: 'x'.repeat(900_000) },
    { email: 'a@b.io', tags: Array(100_000).fill('t') },
    { email: 'a@b.io', tags: Array(100_000).fill(1) },
    {
      email: 'a@b.io',
      custom_fields: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])),
    },
    { email: '@'.repeat(500_000) },
    { email: `${'a@'.repeat(120)}a.io` },
  ]
  for (const body of bodies) {
    const begun = process.cpuUsage()
    const answer = await api.post('/contacts', body)
    assertProblems(answer)
    assert.ok(answer.text.length < 100_000)
    assert.ok(process.cpuUsage(begun).user < 1e6)
  }
})
