import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { peopleQuery } from '../operators/queries.ts'
import type { DraftPlace, MessageDraft } from './draft.ts'
import { findMentions, listCallNames } from './mentions.ts'

/** Finds the people whom a note mentions, so that their names look like chips. */
export function useChips({ projectId, isInternal }: DraftPlace, { mentions }: MessageDraft) {
  const { data: people } = useQuery({ ...peopleQuery(projectId), enabled: isInternal })
  return useMemo(() => {
    if (!isInternal) return undefined
    const names = listCallNames([...(people ?? []), ...mentions]).map(([name]) => name)
    return (text: string) => findMentions(text, names)
  }, [isInternal, people, mentions])
}
