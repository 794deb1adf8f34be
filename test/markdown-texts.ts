import fc from 'fast-check'

/** Texts with all kinds of Markdown. */

const words = fc.constantFrom(
  ...[
    'Hello',
    'world',
    'a_b_c',
    '2 * 3',
    '#1',
    '1. of',
    '3 < 4',
    'x&amp;y',
    'ann@x.test',
    'https://x.test/a_b_c?d=*e*',
  ],
  ...['snake_case', '`', '~', '[x]', '(y)', '!', 'naïve', '注意。', '🙂', '\\', '|', '-', '+', '>', '=', '"'],
)
export const prose = fc.array(words, { minLength: 1, maxLength: 6 }).map(all => all.join(' '))
const plain = fc
  .array(fc.constantFrom('one', 'two', 'Grüße', '第三', '4'), { minLength: 1, maxLength: 4 })
  .map(all => all.join(' '))
export const marked = fc.oneof(
  plain,
  plain.map(one => `**${one}**`),
  plain.map(one => `*${one}*`),
  plain.map(one => `~~${one}~~`),
  plain.map(one => `\`${one}\``),
  plain.map(one => `***${one}***`),
  plain.map(one => `**${one} *two* \`x\`**`),
  plain.map(one => `[${one}](https://x.test/a_(b))`),
  plain.map(one => `[**${one}**](https://x.test "Title")`),
  plain.map(one => `![${one}](https://x.test/p.png)`),
  fc.constantFrom('https://x.test/a_b', '<https://x.test>', 'ann@x.test', '\\*', '&lt;'),
)
const line = fc.array(marked, { minLength: 1, maxLength: 3 }).map(all => all.join(' '))
const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map(all => all.join('\n'))
const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)
const table = fc
  .array(fc.tuple(marked, marked), { minLength: 1, maxLength: 3 })
  .map(rows => ['| a | b |', '| :-- | --: |', ...rows.map(([one, two]) => `| ${one} | ${two} |`)].join('\n'))
export const { block } = fc.letrec<{ block: string }>(tie => ({
  block: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    paragraph,
    line.map(one => `## ${one}`),
    fc.constantFrom('---', '```js\nlet a = "*b*"\n\n  c\n```', '    indented'),
    table,
    fc
      .array(tie('block'), { minLength: 1, maxLength: 2 })
      .map(all => all.join('\n\n').replaceAll(/^/gm, '> ')),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map(all => all.map(one => `- ${indent(one, '  ')}`).join('\n')),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map(all => all.map((one, at) => `${at + 3}. ${indent(one, '   ')}`).join('\n')),
  ),
}))
/** Blocks with different amounts of blank space between them. */
export const textOf = (blocks: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(blocks, fc.constantFrom('\n\n', '\n', '\n\n\n', '\r\n\r\n')), {
      minLength: 1,
      maxLength: 4,
    })
    .map(all => all.flat().join(''))

export const text = textOf(block)

const blockTag = / ?(<\/?(?:p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|h\d|pre|hr|br)\b[^>]*>) ?/g

/** HTML without differences that nobody sees. In code, all blank space is visible. */
export const visibleIn = (html: string): string =>
  html
    .split(/(<pre>.*?<\/pre>)/s)
    .map((part, at) => (at % 2 === 1 ? part.replace(/\n?(?=<\/code>)/, '') : part.replaceAll(/\s+/g, ' ')))
    .join('')
    .replaceAll(blockTag, '$1')
    .replaceAll('</p><p>', '¶')
    .replaceAll(/<\/?p>/g, '')
