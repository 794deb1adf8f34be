import { briefs, codes } from '../core/errors.ts'
import { keysOf } from '../core/objects.ts'
import { reasonTexts } from '../core/reasons.ts'
import { maintenanceExample } from './error-bodies.ts'
import { briefWords, codeWords } from './error-words.ts'
import { block, code, generated, page, table } from './markdown.ts'
import { envelopeExample } from './responses.ts'

const intro = `Every error response of the API has one of three kinds of body. If it has an \`error_code\`, branch on that; otherwise read \`detail\`, which is
a string or a list. Every response has the id of the request in \`X-Request-ID\`.

Retry after a 408, 429, 500, 502, 503 or 504: after \`Retry-After\` seconds if the response has that header, otherwise with increasing
delays. A 502, 503 or 504 may also come from a proxy in front of Deskbell, with an HTML page as its body. After any other error, change
the request. [Build on the API](api.md#repeating-safely) explains how to retry a request that may already have been processed.`

const invalid = {
  detail: [
    {
      type: 'less_than_equal',
      loc: ['query', 'page_size'],
      msg: 'Input should be less than or equal to 100',
      input: 101,
      ctx: { le: 100 },
    },
  ],
}

function printCodes(): string {
  const sorted = keysOf(codes).sort((a, b) => codes[a][0] - codes[b][0])
  return table(
    ['code', 'status', 'when', 'detail'],
    sorted.map(name => {
      const { when, detail } = codeWords[name]
      return [code(name), String(codes[name][0]), when, detail ? code(JSON.stringify(detail)) : code('null')]
    }),
  )
}

function printBriefs(): string {
  const sorted = keysOf(briefs).sort((a, b) => briefs[a][0] - briefs[b][0])
  return table(
    ['status', 'detail', 'when'],
    sorted.map(name => [String(briefs[name][0]), code(briefs[name][1]), briefWords[name]]),
  )
}

const printReasons = (): string =>
  table(
    ['reason', 'meaning'],
    Object.entries(reasonTexts).map(([reason, meaning]) => [code(reason), meaning]),
  )

export const printErrors = (): string =>
  page(
    '# Errors',
    generated,
    intro,
    '## Common envelope',
    'The request is valid, but a rule of Deskbell refuses it. The meaning of an `error_code` never changes; `error_message` is for people.',
    block(envelopeExample('TICKET_INVALID_STATUS_TRANSITION')),
    printCodes(),
    '`detail.reason` of `VALIDATION_ERROR`, with `detail.field` beside it:',
    printReasons(),
    '## Brief form',
    'The request failed before any rule was applied, or names something that does not exist. A 401 also has the header `WWW-Authenticate: Bearer`.',
    block({ detail: briefs.key_missing[1] }),
    printBriefs(),
    '## Validation list',
    'Status 422: the request does not fit the schema. `loc` is the path to the value and begins with `body`, `query`, `path` or `header`; `input` is the value that was sent, or null if nothing was sent or the value is longer than 1,000 characters.',
    block(invalid),
    '## Maintenance',
    'While maintenance mode is on (`bin/deskbell maintenance on`), every call gets the status 503 with `Retry-After`. The body has only these two fields.',
    block(maintenanceExample),
  )
