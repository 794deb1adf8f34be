import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { tagsQuery } from '../tags/queries.ts'

type Colors = ReadonlyMap<string, string>

const toColors = (tags: { name: string; color: string | null }[]): Colors =>
  new Map(tags.flatMap(({ name, color }) => (color ? [[name, color] as const] : [])))

/** The colours of a project's tags by name. */
export const useTagColors = (projectId: string): Colors | undefined =>
  useQuery({ ...tagsQuery(projectId), select: toColors, throwOnError: false }).data

/** Loaded once for all visible tickets. */
export const TagColors = createContext<Colors | undefined>(undefined)

export const useTagColor = (tag: string): string | undefined => useContext(TagColors)?.get(tag)
