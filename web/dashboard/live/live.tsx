import { useEffect } from 'react'
import { useOpenProject } from '../shell/open-project.ts'
import { listen } from './stream.ts'

/** Listens as long as the dashboard is open, to the project that is. */
export function Live() {
  const projectId = useOpenProject()?.project.id
  useEffect(() => (projectId ? listen(projectId) : undefined), [projectId])
  return null
}
