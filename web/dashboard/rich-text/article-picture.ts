import type { AnyExtension } from '@tiptap/core'
import { Picture } from './schema.ts'

/** Shows pictures from the addresses at which this page can load them. The text keeps its own. */
export const showPicturesAt = (pictureOf: (src: string) => string): AnyExtension =>
  Picture.extend({
    parseHTML: () => [{ tag: 'img[src^="https:"], img[src^="http:"], img[src^="/"]' }],
    addNodeView:
      () =>
      ({ node: { attrs } }) => {
        const dom = document.createElement('img')
        dom.src = pictureOf(String(attrs.src ?? ''))
        dom.alt = attrs.alt ?? ''
        if (attrs.title) dom.title = attrs.title
        return { dom }
      },
  })
