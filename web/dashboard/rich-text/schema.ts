import { type AnyExtension, Extension, Mark, markInputRule, Node } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TableCell, TableHeader, TableRow, Table as Tables } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'

/** The document of the editor contains exactly what Markdown can express. */

/** Delimiters are recognised only next to words, so that `2 * 3 * 4` stays as typed. */
const around = (sign: string): RegExp => {
  const char = `\\${sign[0]}`
  const [edge, inner] = [`[^\\s${char}]`, `[^${char}]`]
  const marked = [...sign].map(() => char).join('')
  return new RegExp(`(?:^|[\\s("“‘])(${marked}(${edge}(?:${inner}*${edge})?)${marked})$`)
}

const signs: Record<string, string> = { bold: '**', italic: '*', strike: '~~' }

function withOwnRules(extension: AnyExtension): AnyExtension {
  const sign = signs[extension.name]
  if (extension instanceof Mark && sign)
    return extension.extend({
      addInputRules() {
        return [markInputRule({ find: around(sign), type: this.type })]
      },
      addPasteRules: () => [],
    })
  // Code can be bold or a link, and its backticks are always the innermost.
  if (extension instanceof Mark && extension.name === 'code')
    return extension.extend({ excludes: '', priority: 50, addPasteRules: () => [] })
  if (extension instanceof Node && extension.name === 'listItem')
    return extension.extend({ content: 'block+' })
  // A line of dashes is often typed as such.
  if (extension instanceof Node && extension.name === 'horizontalRule')
    return extension.extend({ addInputRules: () => [] })
  return extension
}

const schemes = /^(?:https?|mailto|tel):/i
export const isAllowedUrl = (url: string): boolean => schemes.test(url)

/** An article also links to other pages of the help centre, and to its own headings. */
export const isArticleUrl = (url: string): boolean => isAllowedUrl(url) || /^(?:\/(?!\/)|#)\S/.test(url)

const createBasics = (isAllowedUri: (url: string) => boolean) =>
  StarterKit.extend({
    addExtensions() {
      return (this.parent?.() ?? []).map(withOwnRules)
    },
  }).configure({
    underline: false,
    link: { openOnClick: false, autolink: false, linkOnPaste: true, isAllowedUri },
    dropcursor: { color: 'var(--mantine-color-anchor)' },
  })

/** Attributes that are not in Markdown's text: the direction of each paragraph, and blank lines between the items of a list. */
const Attributes = Extension.create({
  name: 'attributes',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'listItem', 'blockquote', 'tableCell', 'tableHeader'],
      attributes: { dir: { default: 'auto', parseHTML: () => 'auto' } },
    },
    {
      types: ['bulletList', 'orderedList'],
      attributes: { tight: { default: true, rendered: false } },
    },
  ],
})

// A cell in Markdown has one line.
const inline = { content: 'inline*' }

const listExtensions = (isAllowedUri: (url: string) => boolean, picture: AnyExtension): AnyExtension[] => [
  createBasics(isAllowedUri),
  Attributes,
  Tables.configure({ resizable: false }),
  TableRow,
  TableHeader.extend(inline),
  TableCell.extend(inline),
  picture,
]

export const Picture = Image.configure({ inline: true, allowBase64: false })

export const messageExtensions = listExtensions(isAllowedUrl, Picture)

const Article = Extension.create({
  name: 'article',
  extendNodeSchema: ({ name }) => (name === 'doc' ? { isArticle: true } : {}),
})

export const articleExtensions = (picture: AnyExtension = Picture): AnyExtension[] => [
  ...listExtensions(isArticleUrl, picture),
  Article,
]
