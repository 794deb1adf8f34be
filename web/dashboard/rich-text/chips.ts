import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { findUrls as matchUrls } from './read-markdown.ts'
import classes from './rich-text.module.css'

type Find = (text: string) => [from: number, to: number][]

const urls = new WeakMap<Node, ReturnType<Find>>()

function findUrls(block: Node, text: string): ReturnType<Find> {
  const found = urls.get(block) ?? matchUrls(text).map(({ index, lastIndex }) => [index, lastIndex])
  urls.set(block, found)
  return found
}

/** Shows mentioned people and typed addresses as what they become. The text itself is unchanged. */
export const createChips = (findChips: Find): Plugin =>
  new Plugin({
    key: new PluginKey('chips'),
    props: {
      decorations({ doc }) {
        const found: Decoration[] = []
        doc.descendants((node, position) => {
          if (!node.isTextblock || node.type.spec.code) return !node.isTextblock
          const text = node.textBetween(0, node.content.size, '', '\n')
          const at = position + 1
          for (const [from, to] of findChips(text))
            found.push(Decoration.inline(at + from, at + to, { class: classes.chip ?? '' }))
          for (const [from, to] of findUrls(node, text))
            found.push(Decoration.inline(at + from, at + to, { class: classes.address ?? '' }))
          return false
        })
        return DecorationSet.create(doc, found)
      },
    },
  })
