import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { faultTexts, trialTexts } from '../../src/channels/email/mailboxes/fault-texts.ts'
import { deliveryCodes } from '../../src/channels/email/outgoing/sent-delivery.ts'
import { botFaultTexts } from '../../src/channels/telegram/bots/bot-fault.ts'
import { telegramDeliveryCodes } from '../../src/channels/telegram/outgoing/record.ts'
import { codes, dashboardCodes } from '../../src/core/errors.ts'
import { dashboardReasonTexts, reasonTexts } from '../../src/core/reasons.ts'
import { codes as codeWords, notPossible } from '../../web/dashboard/core/texts/en/codes.ts'
import { reasons as reasonWords } from '../../web/dashboard/core/texts/en/failures.ts'
import { mailboxes as mailboxWords } from '../../web/dashboard/core/texts/en/mailboxes.ts'
import { messages as messageWords } from '../../web/dashboard/core/texts/en/messages.ts'
import { telegramFaults } from '../../web/dashboard/core/texts/en/telegram-faults.ts'
import { englishCalls, englishFiles, englishFolders, englishNames } from './english.ts'
import { type Literal, listLiterals, type Node, nameOf } from './literals.ts'
import { productCode, readSources, type Source } from './sources.ts'

/** Texts for people are in text files, one for each language. All other files have only kinds and values. */

/** A file in a folder `texts`, or one such as `system-texts.ts`. */
const isTextFile = ({ path }: Source): boolean => /\/texts\/|-texts\.ts$/.test(path)

const hasLetters = (text: string): boolean => /\p{L}/u.test(text)
const countWords = (text: string): number => text.split(/\s+/).filter(word => /\p{L}{2}/u.test(word)).length

function isSentence(text: string, minWords = 3): boolean {
  const [isCapitalised, isEnded] = [/^\p{Lu}/u.test(text.trim()), /[.!?]$/.test(text.trim())]
  const count = countWords(text)
  return (isCapitalised && count >= minWords) || (isEnded && count >= 3)
}

type Rule = (source: Source, literal: Literal) => boolean

const locate = ({ path, text: source }: Source, { text, node }: Literal): string =>
  `${path}:${source.slice(0, node.start).split('\n').length} ${text.trim().slice(0, 80)}`

const listFound = (sources: Source[], isFound: Rule): string[] =>
  sources
    .filter(source => !isTextFile(source))
    .flatMap(source =>
      listLiterals(source)
        .filter(literal => isFound(source, literal))
        .map(literal => locate(source, literal)),
    )

/** Attributes and fields that people see or hear. */
const shownNames =
  /^(?:aria-(?:label|description|placeholder|roledescription|valuetext)|title|subtitle|label|placeholder|alt|description|message|about|legend|error|[a-z]+Label)$/
/** Functions whose arguments people see. */
const showing = /^(?:show[A-Z]\w*|announce|usePageTitle|alert|confirm)$/
/** What a value passes through: `a ? 'x' : 'y'`, `a && 'x'`, `'x' + a`. */
const passing =
  /^(?:Conditional|Logical|Binary|TS(?:As|Satisfies|NonNull))Expression$|^JSXExpressionContainer$/

/** What takes the value of a literal; null if it is only compared. */
function takerOf({ ancestors, node }: Literal): Node | null {
  let child = node
  for (const ancestor of ancestors.toReversed()) {
    if (!passing.test(ancestor.type)) return ancestor
    const isCompared = ancestor.type === 'BinaryExpression' && ancestor.operator !== '+'
    if (isCompared || ancestor.test === child) return null
    child = ancestor
  }
  return null
}

function isShown({ text: source }: Source, literal: Literal): boolean {
  const taker = takerOf(literal)
  if (!taker) return false
  const name = nameOf(source, taker)
  if (taker.type === 'Property') return shownNames.test(name) && taker.key !== literal.node
  if (taker.type === 'JSXAttribute') return shownNames.test(name)
  return (
    /^JSX(?:Element|Fragment)$/.test(taker.type) || (taker.type === 'CallExpression' && showing.test(name))
  )
}

/** `new Error('…')`: for developers. */
const isThrown = ({ text }: Source, { ancestors }: Literal): boolean =>
  ancestors.some(node => node.type === 'NewExpression' && /(?:Error|Exception)$/.test(nameOf(text, node)))

/** Names of keys, as they are printed on keyboards. */
const keyNames = ['Alt', 'Ctrl', 'Esc']

const isTextOfPage: Rule = (source, literal) =>
  hasLetters(literal.text) &&
  !keyNames.includes(literal.text) &&
  (literal.isJsxText ||
    isShown(source, literal) ||
    (isSentence(literal.text, 2) && !isThrown(source, literal)))

const pages = readSources('web/{dashboard,widget}/**/*.{ts,tsx}').filter(
  ({ path }) => !path.endsWith('.d.ts'),
)

test('no file of the dashboard or the chat holds a text for people, outside the text files', () => {
  assert.ok(pages.length > 300)
  assert.deepEqual(listFound(pages, isTextOfPage), [])
})

const shownAttribute = /\b(?:title|alt|placeholder|aria-label)="([^"]*)"/g

/** Whether HTML has a word outside its tags, or in an attribute that people see or hear. */
function hasHtmlText(text: string): boolean {
  if (!/<\/?[a-z]\w*[^<>]*>/.test(text)) return false
  const shown = text.replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>|<[^<>]*>|&\w+;/g, ' ')
  const attributes = [...text.matchAll(shownAttribute)].map(([, value]) => value)
  return countWords([shown, ...attributes].join(' ')) > 0
}

const tagOf = ({ text }: Source, { ancestors }: Literal): string | null => {
  const parent = ancestors.at(-1)!
  return parent.type === 'TaggedTemplateExpression' ? nameOf(text, parent) : null
}

function isEnglish({ text: source }: Source, { ancestors }: Literal): boolean {
  return ancestors.some(node => {
    const name = nameOf(source, node)
    if (/^(?:New|Call)Expression$/.test(node.type))
      return englishCalls.some(([pattern]) => pattern.test(name))
    return Object.hasOwn(englishNames, name)
  })
}

/** Statements of SQL are the other tagged templates. */
const isTextOfServer: Rule = (source, literal) =>
  (hasHtmlText(literal.text) || isSentence(literal.text)) &&
  [null, 'html'].includes(tagOf(source, literal)) &&
  !isEnglish(source, literal)

const isEnglishFile = (path: string, pattern: string): boolean => matchesGlob(path, `src/${pattern}`)
const found = Map.groupBy(
  productCode.filter(({ path }) => !Object.hasOwn(englishFolders, path.split('/')[1]!)),
  ({ path }) => Object.keys(englishFiles).find(pattern => isEnglishFile(path, pattern)),
)

test('no file of the server holds a text for people, outside the text files', () => {
  const sources = found.get(undefined)!
  assert.ok(sources.length > 400)
  assert.deepEqual(listFound(sources, isTextOfServer), [])
})

test('each file that is listed with English texts still has some', () => {
  const idle = Object.keys(englishFiles).filter(
    pattern => listFound(found.get(pattern) ?? [], isTextOfServer).length === 0,
  )
  assert.deepEqual(idle, [])
})

const made = (path: string, text: string): Source[] => [{ path, text }]
const findsInPage = (text: string) => listFound(made('web/dashboard/x.tsx', text), isTextOfPage).length
const findsInServer = (text: string) => listFound(made('src/x.ts', text), isTextOfServer).length

test('finds a text in JSX, in an attribute, in a field and in a notice, and leaves other strings alone', () => {
  const texts = [
    '<p>Hello there</p>',
    "<p>{isNew ? 'new' : text.old}</p>",
    `<p>{\`\${count} tickets\`}</p>`,
    '<Button aria-label="close" />',
    "const props = { 'aria-label': 'close' }",
    "showNotice(text.saved + 'saved')",
    "const words = ['Could not save']",
  ]
  for (const text of texts) assert.equal(findsInPage(text), 1, text)
  const others = [
    '<p className="wide">{text.hello} · {count}</p>',
    "<p>{kind === 'new' ? text.new : text.old}</p>",
    "throw new Error('No project is open here')",
    "import words from 'Some words here'",
  ]
  for (const text of others) assert.equal(findsInPage(text), 0, text)
})

test('finds a sentence and a word of HTML on the server, and leaves SQL, logs, errors and documents alone', () => {
  const texts = [
    "const mail = { subject: 'Your plan has ended' }",
    `const title = \`\${project} has ended its plan.\``,
    'const page = html`<h1>Hello</h1>`',
    `const page = \`<a title="Back" href="\${url}"></a>\``,
  ]
  for (const text of texts) assert.equal(findsInServer(text), 1, text)
  const others = [
    'sql`Select all of the rows.`',
    "log.warn({ err }, 'Could not send a mail')",
    "throw new UserError('The project is on this plan already')",
    "endpoint({ summary: 'List all the plans' })",
    `const page = html\`<h1 class="wide words here">\${text.title}</h1>\``,
  ]
  for (const text of others) assert.equal(findsInServer(text), 0, text)
})

/** Codes that the dashboard words from the rest of the response. */
const wordedByDetail = ['NOT_POSSIBLE', 'RATE_LIMIT_EXCEEDED', 'VALIDATION_ERROR']

test('the dashboard has a text for every code, and for every reason of VALIDATION_ERROR', () => {
  const known = [...Object.keys(codeWords), ...wordedByDetail]
  const missing = Object.keys({ ...codes, ...dashboardCodes }).filter(code => !known.includes(code))
  const reasons = Object.keys({ ...reasonTexts, ...dashboardReasonTexts })
  assert.deepEqual([missing, reasons.filter(reason => !Object.hasOwn(reasonWords, reason))], [[], []])
})

const refusing = /^(?:UserError|SetupError|NoSources|GatewayRefused|GatewaySilent)$/

/** Whether a literal is the reason of an error that the dashboard's API answers with NOT_POSSIBLE. */
function isReason({ text }: Source, { ancestors }: Literal): boolean {
  if (nameOf(text, ancestors.at(-1)!) !== 'reason') return false
  return ancestors.some(node => {
    const name = node.type === 'NewExpression' ? nameOf(text, node) : ''
    return (
      refusing.test(name) ||
      (name === 'ApiError' && /^new ApiError\(\s*'NOT_POSSIBLE'/.test(text.slice(node.start)))
    )
  })
}

test('the dashboard has a text for every reason of NOT_POSSIBLE', () => {
  const sources = productCode.filter(({ path }) => !path.startsWith('src/channels/widget/'))
  const reasons = sources.flatMap(source =>
    listLiterals(source).flatMap(literal => (isReason(source, literal) ? [literal.text] : [])),
  )
  // A refusal without a code has the reason `other`, and is shown with the server's sentence.
  const named = new Set(reasons.filter(reason => reason !== 'other'))
  assert.deepEqual([...named].sort(), Object.keys(notPossible).sort())
})

test('the dashboard has a text for every problem of a mailbox', () => {
  assert.deepEqual(
    Object.keys(mailboxWords.faults).sort(),
    Object.keys({ ...faultTexts, ...trialTexts }).sort(),
  )
})

test('the dashboard has a text for every code of a delivery by email', () => {
  assert.deepEqual(Object.keys(messageWords.deliveryErrors).sort(), deliveryCodes.toSorted())
})

test('the dashboard has a text for every problem of a Telegram bot', () => {
  assert.deepEqual(Object.keys(telegramFaults).sort(), Object.keys(botFaultTexts).sort())
})

test('the dashboard has a text for every code of a Telegram delivery', () => {
  const { telegramErrors, deliveryErrors } = messageWords
  const known = telegramDeliveryCodes.filter(code => code in telegramErrors || code in deliveryErrors)
  assert.deepEqual(known, telegramDeliveryCodes)
  assert.deepEqual(
    Object.keys(telegramErrors).filter(code => !telegramDeliveryCodes.some(one => one === code)),
    [],
  )
})
