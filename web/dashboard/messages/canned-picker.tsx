import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker } from '../core/picker.tsx'
import { text } from '../core/text.ts'
import { cannedQuery, fillCanned } from './canned.ts'
import type { DraftPlace } from './draft.ts'

interface Props {
  place: DraftPlace
  onInsert(content: string): void
  onClose(): void
}

/** A picker of canned answers. The chosen one is inserted with its placeholders filled. */
export default function CannedPicker({ place, onInsert, onClose }: Props) {
  const [words, setWords] = useState('')
  const { data = [], isPlaceholderData } = useQuery(cannedQuery(place.projectId, words.trim()))
  const choose = async (id: string) => {
    const content = await fillCanned(place, id)
    if (content !== null) onInsert(content)
  }
  return (
    <Picker
      title={text.composer.canned}
      choices={data.map(({ id, title, shortcut, excerpt }) => ({
        id,
        label: `${title} (/${shortcut})`,
        about: excerpt,
      }))}
      none={text.composer.cannedNone}
      onSearch={setWords}
      isStale={isPlaceholderData}
      onChoose={choose}
      onClose={onClose}
    />
  )
}
