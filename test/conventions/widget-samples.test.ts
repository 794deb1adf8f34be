import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { serverCode } from '../../web/dashboard/widget/server-code.ts'
import type { TestServer } from '../server.ts'
import { atWidget, secret, startChat, switchOn } from '../widget.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url)
const page = readFileSync(new URL('docs/widget.md', root), 'utf8')
const samplesOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code!)

let server: TestServer
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme)
})
after(() => server.close())

async function outputOf(program: string, args: string[]): Promise<string> {
  const { stdout } = await run(program, args, {
    cwd: root,
    env: { PATH: process.env.PATH, DESKBELL_SECRET: secret },
  })
  return stdout.trim()
}

const identify = (body: object) => atWidget(server, server.acme).post('/identify', body)

const tokens = [
  ['docs/widget.md', samplesOf('js').find(code => code.includes('SignJWT'))],
  ['the dashboard', serverCode.Node],
] as const

for (const [where, code] of tokens)
  test(`the Node.js sample of ${where} creates a token that identifies its user`, async () => {
    const user = `const user = { id: 42, email: 'vera@example.com', name: 'Vera' }\n`
    const all = `${user}${code}\nconsole.log(token)`
    const token = await outputOf(process.execPath, ['--input-type=module', '--eval', all])
    const { status, body } = await identify({ token })
    assert.deepEqual([status, body.visitor.email, body.visitor.is_verified], [200, 'vera@example.com', true])
  })

const signatures = [
  [
    'Node.js',
    process.execPath,
    ['--input-type=module', '--eval'],
    `const user = { id: 42 }\n${samplesOf('js').find(code => code.includes('createHmac'))}\nconsole.log(signature)`,
  ],
  [
    'Python',
    'python3',
    ['-c'],
    `import types\nuser = types.SimpleNamespace(id=42)\n${samplesOf('python').find(code => code.includes('hmac'))}\nprint(signature)`,
  ],
] as const

for (const [language, program, args, code] of signatures)
  test(`the ${language} sample creates a signature that identifies its user`, async () => {
    const signature = await outputOf(program, [...args, code])
    const { status, body } = await identify({ user: { id: '42' }, signature })
    assert.deepEqual([status, body.visitor.is_verified], [200, true])
  })
