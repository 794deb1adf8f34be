import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { judge, type Seen } from '../../test/mail/judge.ts'
import { cases, corpus, type Expected, setup } from '../../test/mail/manifest.ts'
import { startReader } from '../../test/mail/reading.ts'
import type { Mail } from './mail.ts'

const { reader, folder } = startReader()

/** Whether the text depends on code outside the reader, which folds quotes and extracts forwarded emails. */
const needsRules = ({ threading, folded_contains }: Expected): boolean =>
  threading.target !== 'new' || threading.reason === 'forwarded' || folded_contains !== undefined

function seenIn({ headers, text, html, charset, files, invitation, ...mail }: Mail, expect: Expected): Seen {
  const isForwarded = expect.threading.reason === 'forwarded'
  const { target } = expect.threading
  const shown = [text, invitation?.summary].filter(Boolean).join('\n')
  return {
    subject: isForwarded ? undefined : headers.subject,
    charset,
    html,
    signature: mail.signature,
    encrypted: mail.encrypted,
    text: needsRules(expect) ? undefined : shown,
    contact:
      isForwarded || !headers.from ? undefined : { email: headers.from.address, name: headers.from.name },
    media:
      isForwarded || target === 'none' || target === 'duplicate'
        ? undefined
        : files.map(file => ({
            filename: file.filename,
            size: file.size,
            content_type: file.contentType,
            inline: file.isInline,
          })),
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, corpus))

test('the corpus files match the checksums in the manifest', () => {
  const wrong = [...cases, ...setup].filter(({ file, sha256 }) => {
    return (
      createHash('sha256')
        .update(readFileSync(pathOf(file)))
        .digest('hex') !== sha256
    )
  })
  assert.ok(cases.length >= 80)
  assert.deepEqual(wrong, [])
})

for (const { file, kind, expect } of cases)
  test(`corpus ${file}: ${kind}`, async () => {
    const mail = await reader.read(pathOf(file), folder, AbortSignal.timeout(60_000))
    assert.equal(mail.reader, 'mailsplit')
    assert.deepEqual(mail.truncated, [])
    assert.deepEqual(judge(expect, seenIn(mail, expect)), [])
    for (const part of expect.threading.target === 'T1' ? (expect.folded_contains ?? []) : [])
      assert.ok(mail.text.replaceAll('> ', '').replaceAll(/\s+/g, ' ').includes(part), part)
  })
