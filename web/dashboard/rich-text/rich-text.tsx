import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { type Connected, createEditor, selectedIn } from './create-editor.ts'
import type { FieldProps } from './editor-handle.ts'
import { LinkForm } from './link-form.tsx'

export { findHtml } from './read-markdown.ts'

import { marksAt, richHandleOf } from './rich-handle.ts'

/** Formatted text, which is read from Markdown and written as Markdown. */
export function RichText({ id, ...props }: FieldProps & { id: string }) {
  const { editor: ref, value, attributes, label, placeholder } = props
  const place = useRef<HTMLDivElement>(null)
  const connected = useRef<Connected | null>(null)
  const [isLinking, setLinking] = useState(false)
  // Before the text field that it replaces is removed.
  const [selected] = useState(() => selectedIn(id))
  const latest = useEffectEvent(() => props)
  const create = useEffectEvent((element: Element) => createEditor(element, () => latest(), id, selected))
  useLayoutEffect(() => {
    connected.current = create(place.current!)
    const { editor } = connected.current
    const follow = () => {
      const marks = marksAt(editor)
      if (marks.join() !== ref.marks.get().join()) ref.marks.set(marks)
    }
    editor.on('transaction', follow)
    return () => {
      ref.marks.set([])
      editor.destroy()
    }
  }, [ref])
  useImperativeHandle(ref, () =>
    richHandleOf(
      () => connected.current!.editor,
      () => setLinking(true),
    ),
  )
  useLayoutEffect(() => void connected.current?.setValue(value), [value])
  const shown = JSON.stringify([attributes, label, placeholder])
  useEffect(() => {
    const view = connected.current?.editor.view
    view?.updateState(view.state)
  }, [shown])
  return (
    <>
      <div ref={place} />
      {isLinking && connected.current && (
        <LinkForm editor={connected.current.editor} onClose={() => setLinking(false)} />
      )}
    </>
  )
}
