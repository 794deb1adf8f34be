import { useQuery } from '@tanstack/react-query'
import { offerQuery } from '../billing/queries.ts'
import { mayDo, type Role } from '../projects/project.ts'
import { type SettingsPageEntry, settingsPages } from './pages.ts'

/** The settings pages that this person may see. Billing is shown if this server sells plans. */
export function useVisiblePages(projectId: string, role: Role): SettingsPageEntry[] {
  const isOwner = mayDo(role, 'owner')
  const { data: offer } = useQuery({ ...offerQuery(projectId), enabled: isOwner && projectId !== '' })
  return settingsPages
    .filter(({ minRole = 'operator' }) => mayDo(role, minRole))
    .filter(({ path }) => path !== 'billing' || offer?.is_sold)
}
